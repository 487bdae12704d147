import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { JsonSchema } from '../model/types.ts';
import { decodeHeader, headerEquals, headerNames, headerText } from './headers.ts';

/** A tool parameter that Streamable HTTP repeats in a header ("Custom Headers from Tool Parameters"). */
export interface MirroredParam {
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  /** The header, in lower case: `mcp-param-` and the annotated name. */
  readonly header: string;
}

const keyword = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const dataKeywords = new Set(['const', 'enum', 'default', 'examples']);
const maxDepth = 64;

/**
 * Reads the `x-mcp-header` annotations of an input schema.
 *
 * @returns the mirrored parameters, and what is wrong with the annotations: a tool with a problem is not to be used
 */
export function readMirror(schema: JsonSchema): { params: readonly MirroredParam[]; problems: readonly string[] } {
  const params: MirroredParam[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  scan(schema, [], true);
  return { params, problems };

  function scan(node: unknown, path: readonly string[], reachable: boolean, depth = 0): void {
    if (depth > maxDepth) return;
    if (Array.isArray(node)) {
      for (const item of node) scan(item, path, false, depth + 1);
      return;
    }
    if (!isObject(node)) return;
    if (Object.hasOwn(node, keyword)) note(node, path, reachable);
    for (const [key, value] of Object.entries(node)) {
      if (key === keyword || dataKeywords.has(key)) continue;
      if (isObject(value) && namesSchemas.has(key)) {
        const straight = key === 'properties' && reachable;
        for (const [name, child] of Object.entries(value)) scan(child, [...path, name], straight, depth + 1);
      } else scan(value, path, false, depth + 1);
    }
  }

  function note(node: JsonObject, path: readonly string[], reachable: boolean): void {
    const name = node[keyword];
    const where = path.length === 0 ? 'the root' : path.join('.');
    const problem = (text: string): number => problems.push(`${where}: ${text}`);
    if (typeof name !== 'string' || !token.test(name)) return void problem(`${keyword} must be a header token`);
    if (!reachable || path.length === 0)
      return void problem(`${keyword} can only stand on properties reached by "properties" alone`);
    const type = node['type'];
    if (type !== 'string' && type !== 'integer' && type !== 'boolean')
      return void problem(`${keyword} needs type string, integer or boolean`);
    const header = headerNames.paramPrefix + name.toLowerCase();
    if (seen.has(header)) return void problem(`${keyword} "${name}" is used twice`);
    seen.add(header);
    params.push({ path, header });
  }
}

/** Keywords whose members are schemas under names of the author's choice: the names are not keywords. */
const namesSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * What is wrong with the `x-mcp-header` annotations of a tool's input schema, for authors and hosts that check tools.
 *
 * @returns one sentence per problem; empty when the tool can be used over Streamable HTTP
 */
export function validateHeaderParams(inputSchema: JsonSchema): readonly string[] {
  return readMirror(inputSchema).problems;
}

function read(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * The headers for a call: name to text, not yet encoded. Absent and `null` arguments have none.
 *
 * @returns undefined in place of headers, with the parameter named, when a value cannot be shown as header text
 */
export function mirrorArguments(
  params: readonly MirroredParam[],
  args: JsonObject,
): { headers: Record<string, string>; unfit?: undefined } | { headers?: undefined; unfit: string } {
  const headers: Record<string, string> = {};
  for (const { path, header } of params) {
    const value = read(args, path);
    if (value === undefined || value === null) continue;
    const text = headerText(value);
    if (text === undefined) return { unfit: path.join('.') };
    headers[header] = text;
  }
  return { headers };
}

/** Checks the headers of a call against its arguments; undefined when they agree, else what does not. */
export function checkMirror(
  params: readonly MirroredParam[],
  args: JsonObject,
  header: (name: string) => string | undefined,
): string | undefined {
  for (const { path, header: name } of params) {
    const value = read(args, path);
    const given = header(name);
    if (value === undefined || value === null) {
      if (given !== undefined) return `${name} is given, but ${path.join('.')} is not`;
      continue;
    }
    if (given === undefined) return `${name} is missing`;
    const text = decodeHeader(given);
    if (text === undefined) return `${name} is not a valid value`;
    if (!headerEquals(text, value as Json)) return `${name} differs from ${path.join('.')}`;
  }
  return undefined;
}
