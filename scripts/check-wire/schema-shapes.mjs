// Reads a JSON Schema as shapes: what kinds of value it allows, with their members. The twin of type-shapes.mjs.
//
// A shape is one of
//   { kind: 'any' }   { kind: 'string' | 'number' | 'boolean' | 'null' }   { kind: 'literal', value }
//   { kind: 'array', item: node }   { kind: 'object', members: Map<name, { optional, node }>, index: node | undefined }
// and carries `text` for messages. A node is a schema here and a TypeScript type there.

// What says nothing about the kind of a value.
const silent = ['description', 'default', 'format', 'minimum', 'maximum', 'minItems', 'maxItems', 'examples'];
const known = [
  '$ref',
  'allOf',
  'anyOf',
  'const',
  'enum',
  'type',
  'items',
  'properties',
  'required',
  'additionalProperties',
];

export class Schemas {
  #definitions;
  #simple = new Map();

  constructor(document) {
    this.#definitions = document.$defs ?? document.definitions;
  }

  /** The names of all definitions. */
  get names() {
    return Object.keys(this.#definitions);
  }

  definition(name) {
    if (!(name in this.#definitions)) throw new Error(`the schema refers to "${name}", which it does not define`);
    return this.#definitions[name];
  }

  /** The definition that a node refers to, if it does nothing else. */
  reference(node) {
    const words = spoken(node);
    return words.length === 1 && words[0] === '$ref' ? nameOf(node.$ref) : undefined;
  }

  /** The shapes that a node allows; several for a union. */
  shapes(node) {
    const reference = this.reference(node);
    if (reference !== undefined) {
      const shapes = this.shapes(this.definition(reference));
      const named = shapes.length === 1 && shapes[0].kind === 'object' && !shapes[0].reference;
      return named ? [{ ...shapes[0], reference, text: reference }] : shapes;
    }
    const schema = this.#simplify(node);
    if (schema.anyOf) return schema.anyOf.flatMap((member) => this.shapes(member));
    if ('const' in schema) return [literal(schema.const)];
    if (schema.enum) return schema.enum.map(literal);
    if (Array.isArray(schema.type)) return schema.type.flatMap((type) => this.shapes({ ...schema, type }));
    return [this.#shape(schema)];
  }

  #shape(schema) {
    switch (schema.type) {
      case undefined:
        return { kind: 'any', text: 'anything' };
      case 'string':
      case 'boolean':
      case 'null':
        return { kind: schema.type, text: schema.type };
      case 'integer':
      case 'number':
        return { kind: 'number', text: schema.type };
      case 'array':
        return { kind: 'array', item: schema.items ?? {}, text: `array of ${this.text(schema.items ?? {})}` };
      case 'object':
        return this.#object(schema);
      default:
        throw new Error(`this check does not know the type "${schema.type}"`);
    }
  }

  #object(schema) {
    const required = new Set(schema.required);
    const members = new Map();
    for (const [name, node] of Object.entries(schema.properties ?? {})) {
      members.set(name, { optional: !required.has(name), node });
    }
    for (const name of required) if (!members.has(name)) members.set(name, { optional: false, node: {} });
    const free = schema.additionalProperties;
    if (free === false) throw new Error('this check does not know closed objects (additionalProperties: false)');
    return { kind: 'object', members, index: free === true ? {} : free, text: objectText(members, free !== undefined) };
  }

  /** A node in a few words. */
  text(node) {
    const reference = this.reference(node);
    if (reference !== undefined) return reference;
    return [...new Set(this.shapes(node).map((shape) => shape.text))].join(' | ');
  }

  // Follows references and merges `allOf`, so that what is left speaks for itself.
  #simplify(node) {
    if (node === true) return {};
    if (this.#simple.has(node)) return this.#simple.get(node);
    let schema = node;
    const { $ref, allOf, ...rest } = node;
    const parts = [...($ref ? [this.definition(nameOf($ref))] : []), ...(allOf ?? [])];
    if (parts.length > 0) {
      if (spoken(rest).length > 0) parts.push(rest);
      schema = parts.map((part) => this.#simplify(part)).reduce(merge);
    }
    for (const keyword of spoken(schema)) {
      if (!known.includes(keyword)) throw new Error(`this check does not know the keyword "${keyword}"`);
      if (schema.anyOf && keyword !== 'anyOf') throw new Error(`this check does not know "${keyword}" beside anyOf`);
    }
    if (schema.properties && !schema.type) schema = { ...schema, type: 'object' };
    this.#simple.set(node, schema);
    return schema;
  }
}

function merge(left, right) {
  if (spoken(left).length === 0) return right;
  if (spoken(right).length === 0) return left;
  if (left.anyOf || right.anyOf) throw new Error('this check does not know allOf over a union');
  const properties = { ...left.properties };
  for (const [name, node] of Object.entries(right.properties ?? {})) {
    properties[name] = name in properties ? { allOf: [properties[name], node] } : node;
  }
  return {
    ...left,
    ...right,
    ...(left.properties || right.properties ? { properties } : {}),
    ...(left.required || right.required ? { required: [...(left.required ?? []), ...(right.required ?? [])] } : {}),
  };
}

function literal(value) {
  return { kind: 'literal', value, text: JSON.stringify(value) };
}

function nameOf(reference) {
  return reference.split('/').at(-1);
}

function spoken(node) {
  return Object.keys(node).filter((word) => !silent.includes(word));
}

export function objectText(members, indexed) {
  const names = [...members].map(([name, { optional }]) => `${name}${optional ? '?' : ''}`);
  if (indexed) names.push('…');
  return names.length === 0 ? '{}' : `{ ${names.slice(0, 6).join(', ')}${names.length > 6 ? ', …' : ''} }`;
}
