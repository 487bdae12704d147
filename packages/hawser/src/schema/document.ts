/** A schema document with everything in it that can be referred to. */
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import { maxAddressesLength, maxAddressLength, type Bounds } from './bounds.ts';
import { dialectAt, dialectOf, type Dialect } from './dialects.ts';
import { SchemaError } from './errors.ts';
import { entriesOf, isOnlyReference, keywordProblem, knows, subschemasOf, type Place } from './keywords.ts';
import { below, step, stepsOf } from './pointer.ts';
import { nowhere, resolveUri, type Address } from './uri.ts';

/** A schema with an address of its own (2020-12 core 4.3.5), and the names in it. */
export class Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** By the names of `$anchor`, `$dynamicAnchor`, and of an `$id` that is a fragment. */
  readonly anchors = new Map<string, Node>();
  /** By the names of `$dynamicAnchor`; by the empty name what has `$recursiveAnchor`. */
  readonly dynamicAnchors = new Map<string, Node>();
  root: Node | undefined;

  constructor(uri: string, dialect: Dialect) {
    this.uri = uri;
    this.dialect = dialect;
  }
}

/** A subschema where it stands. */
export interface Node {
  readonly schema: JsonObject | boolean;
  /** JSON Pointer from the root of the document. */
  readonly path: string;
  /** Levels below the root. */
  readonly depth: number;
  readonly resource: Resource;
  /** The schema that applies it, if one does. */
  readonly parent: Node | undefined;
  /** What its references lead to, by keyword. */
  readonly references: Map<string, Target>;
}

/** Where a reference leads: to a subschema, by a dynamic anchor perhaps to another one, or to a known meta-schema. */
export type Target = { readonly node: Node; readonly dynamic: string | undefined } | { readonly metaSchema: Dialect };

const referring = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

export class SchemaDocument {
  readonly root: Node;
  readonly resources = new Map<string, Resource>();
  /** All that have the name of a dynamic anchor, each in a resource of its own. */
  readonly dynamicAnchors = new Map<string, Node[]>();
  /** Every subschema that was found. */
  readonly nodes: Node[] = [];
  /** Regular expressions, with the place of the first one that says it. */
  readonly patterns = new Map<string, string>();
  /** Some reference depends on how evaluation came to it. */
  isDynamic = false;
  #addressesLength = 0;
  readonly #bySchema = new Map<unknown, Node>();
  readonly #bounds: Bounds;

  /** @throws SchemaError when the schema cannot be used in its dialect */
  constructor(schema: JsonObject, bounds: Bounds) {
    this.#bounds = bounds;
    const unnamed = new Resource(nowhere, dialectOf(schema['$schema']));
    this.resources.set(nowhere, unnamed);
    this.root = this.#add({ schema, applies: true }, '', undefined, unnamed, true);
    // Resolving may find subschemas where no keyword has one; these are resolved in turn.
    for (const node of this.nodes) this.#resolveAll(node);
  }

  /** A subschema that was found before, by its value. */
  nodeOf(schema: unknown, parent: Node): Node {
    if (typeof schema === 'boolean') return leaf(schema, parent.path, parent);
    const node = this.#bySchema.get(schema);
    if (node === undefined) throw new SchemaError('malformed', 'holds what is no schema', parent.path);
    return node;
  }

  /**
   * Takes in a subschema and all below it.
   *
   * @param listed whether it can be found by the addresses and names it gives itself
   */
  #add({ schema, applies }: Place, path: string, parent: Node | undefined, around: Resource, listed: boolean): Node {
    const { maxDepth, maxSubschemas: most } = this.#bounds;
    const depth = parent === undefined ? 0 : parent.depth + 1;
    if (!isObject(schema) && typeof schema !== 'boolean')
      throw new SchemaError('malformed', 'a schema is an object, true or false', path);
    if (depth > maxDepth)
      throw new SchemaError('too_large', `subschemas are nested deeper than ${maxDepth} levels`, path);
    if (this.nodes.length >= most) throw new SchemaError('too_large', `it has more than ${most} subschemas`);
    const resource = typeof schema === 'boolean' ? around : this.#resourceAt(schema, path, around, listed);
    const node: Node = { schema, path, depth, resource, parent: applies ? parent : undefined, references: new Map() };
    resource.root ??= node;
    this.nodes.push(node);
    if (typeof schema === 'boolean') return node;
    this.#bySchema.set(schema, node);
    if (listed) this.#name(node, schema);
    const { dialect } = resource;
    for (const [name, value] of entriesOf(schema, dialect)) {
      const problem = keywordProblem(name, value, dialect);
      if (problem !== undefined) throw new SchemaError('malformed', problem, path + step(name));
      if (name === 'pattern') this.#pattern(value as string, path + step(name));
      if (name === 'patternProperties')
        for (const source of Object.keys(value as JsonObject)) this.#pattern(source, path + step(name) + step(source));
      for (const place of subschemasOf(name, value, dialect))
        this.#add(place, below(path + step(name), place.key), node, resource, listed);
    }
    return node;
  }

  #pattern(source: string, path: string): void {
    const most = this.#bounds.maxPatternLength;
    if (source.length > most) throw new SchemaError('pattern', `must have at most ${most} characters`, path);
    if (!this.patterns.has(source)) this.patterns.set(source, path);
  }

  /** The resource a schema is in: its own if it has an `$id` that is an address. */
  #resourceAt(schema: JsonObject, path: string, around: Resource, listed: boolean): Resource {
    const { $id: id, $schema: dialect } = schema;
    if (typeof id !== 'string' || isOnlyReference(schema, around.dialect)) return around;
    const address = this.#addressOf(id, around, `${path}/$id`);
    if (address === undefined) throw new SchemaError('malformed', 'must be a URI reference', `${path}/$id`);
    if (address.fragment !== '' && around.dialect.besideRef)
      throw new SchemaError('malformed', 'must have no fragment', `${path}/$id`);
    const isSame = id === '' || id.startsWith('#') || (address.fragment !== '' && address.uri === around.uri);
    if (isSame) return around;
    const own = dialect === undefined ? around.dialect : dialectOf(dialect, `${path}/$schema`);
    const resource = new Resource(address.uri, own);
    if (listed) {
      if (this.resources.has(address.uri))
        throw new SchemaError('duplicate', `another schema has the address ${sample(address.uri)}`, `${path}/$id`);
      this.resources.set(address.uri, resource);
    }
    return resource;
  }

  #name(node: Node, schema: JsonObject): void {
    const { resource } = node;
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamicAnchor, $recursiveAnchor: recursive } = schema;
    const { dialect } = resource;
    const names = new Set<unknown>();
    if (dialect.vocabularies) names.add(anchor);
    if (dialect.dynamic) names.add(dynamicAnchor);
    if (!dialect.besideRef && typeof id === 'string' && schema['$ref'] === undefined)
      names.add(resolveUri(id, resource.uri)?.fragment || undefined);
    for (const name of names) {
      if (typeof name !== 'string') continue;
      if (resource.anchors.has(name))
        throw new SchemaError('duplicate', `another schema has the anchor ${sample(name)}`, node.path);
      resource.anchors.set(name, node);
    }
    if (dialect.dynamic && typeof dynamicAnchor === 'string') this.#nameDynamic(node, dynamicAnchor);
    if (dialect.recursive && recursive === true && resource.root === node) this.#nameDynamic(node, '');
  }

  #nameDynamic(node: Node, name: string): void {
    node.resource.dynamicAnchors.set(name, node);
    const others = this.dynamicAnchors.get(name);
    if (others === undefined) this.dynamicAnchors.set(name, [node]);
    else others.push(node);
  }

  #resolveAll(node: Node): void {
    if (typeof node.schema === 'boolean') return;
    const { dialect } = node.resource;
    for (const [name, value] of entriesOf(node.schema, dialect)) {
      if (!referring.has(name) || !knows(dialect, name) || typeof value !== 'string') continue;
      const target = this.#resolve(node, name, value);
      node.references.set(name, target);
      if ('node' in target && target.dynamic !== undefined) this.isDynamic = true;
    }
  }

  #resolve(from: Node, keyword: string, reference: string): Target {
    const path = from.path + step(keyword);
    const address = this.#addressOf(reference, from.resource, path);
    const shown = `${keyword} "${sample(reference, 100)}"`;
    const resource = address?.uri === from.resource.uri ? from.resource : this.resources.get(address?.uri ?? '');
    if (address === undefined || resource === undefined) {
      const known = address === undefined || address.fragment !== '' ? undefined : dialectAt(address.uri);
      if (known !== undefined) return { metaSchema: known };
      throw new SchemaError('external_reference', `${shown} leads to nothing within it, and nothing is fetched`, path);
    }
    const { fragment } = address;
    const node =
      fragment === '' || fragment.startsWith('/') ? this.#at(resource, fragment) : resource.anchors.get(fragment);
    if (node === undefined) throw new SchemaError('unresolved_reference', `${shown} leads to nothing within it`, path);
    const isDynamic =
      keyword !== '$ref' &&
      (keyword === '$recursiveRef' || fragment !== '') &&
      node.resource.dynamicAnchors.get(fragment) === node;
    return { node, dynamic: isDynamic ? fragment : undefined };
  }

  /** What an address or a reference resolves to in a resource; undefined when it is no URI reference. */
  #addressOf(reference: string, { uri }: Resource, path: string): Address | undefined {
    const isLong = reference.length > maxAddressLength;
    const address = isLong ? undefined : resolveUri(reference, uri);
    const { length } = address?.uri ?? '';
    if (!reference.startsWith('#')) this.#addressesLength += length;
    if (isLong || length > maxAddressLength || this.#addressesLength > maxAddressesLength)
      throw new SchemaError('too_large', 'its addresses are too long', path);
    return address;
  }

  /** What a JSON Pointer leads to, be it in a place where no keyword has a schema. */
  #at(resource: Resource, pointer: string): Node | undefined {
    const { root } = resource;
    const names = stepsOf(pointer);
    if (root === undefined || names === undefined) return undefined;
    let around = root;
    let value: unknown = root.schema;
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as JsonObject)[name];
      around = this.#bySchema.get(value) ?? around;
    }
    if (around.schema === value) return around;
    const path = root.path + names.map(step).join('');
    if (typeof value === 'boolean') return leaf(value, path, around);
    if (!isObject(value)) return undefined;
    return this.#add({ schema: value, applies: false }, path, around, around.resource, false);
  }
}

function leaf(schema: boolean, path: string, { depth, resource }: Node): Node {
  return { schema, path, depth: depth + 1, resource, parent: undefined, references: new Map() };
}
