import { codeOf } from './files.ts';
import { isObject, memberOf, typeOf, typesOf } from './schema.ts';
import { short } from './text.ts';
import { UsageError } from './usage-error.ts';

/** Reads a file as UTF-8 text; throws what the file system throws. */
export type ReadFile = (path: string) => string;

type Arguments = Record<string, unknown>;

/**
 * Builds the arguments of a tool from words: `key=text`, `key:=json`, `key=@file`, `key:=@file`. Dots in a key make
 * nested objects, unless the schema has a member of that very name or the dot is written `\.`.
 *
 * @throws UsageError that names the word and says how to write it
 */
export function parseArguments(words: readonly string[], inputSchema: unknown, readFile: ReadFile): Arguments {
  const result: Arguments = {};
  for (const word of words) {
    const { key, json, text } = split(word, readFile);
    const path = pathOf(key, inputSchema);
    const value = json ? parse(key, text) : convert(key, text, schemaAt(path, inputSchema), inputSchema);
    place(result, path, value, key);
  }
  return result;
}

/**
 * Reads all arguments at once: one JSON object.
 *
 * @param where it comes from, for errors
 * @throws UsageError if it is anything else
 */
export function parseWhole(text: string, where: '--args' | 'standard input' = '--args'): Arguments {
  const value = parse(where, text);
  if (isObject(value)) return value;
  throw new UsageError(`${where} is ${article(typeOf(value))}, not a JSON object`, wholeHint(where));
}

function wholeHint(where: '--args' | 'standard input'): string {
  return where === '--args' ? `write --args '{"key": "value"}'` : `for example: echo '{"key": "value"}' | hawser …`;
}

function split(word: string, readFile: ReadFile): { key: string; json: boolean; text: string } {
  const equals = word.indexOf('=');
  const json = equals > 0 && word[equals - 1] === ':';
  const key = word.slice(0, json ? equals - 1 : Math.max(0, equals));
  if (key === '') {
    throw new UsageError(
      `"${short(word)}" is no argument`,
      'write key=value, or key:=json for numbers, lists and objects',
    );
  }
  const text = word.slice(equals + 1);
  return { key, json, text: text.startsWith('@') ? fileText(key, text.slice(1), readFile) : text };
}

function fileText(key: string, path: string, readFile: ReadFile): string {
  try {
    return readFile(path);
  } catch (error) {
    const code = codeOf(error);
    throw new UsageError(
      `${short(key)}: cannot read the file "${short(path)}"${code === undefined ? '' : ` (${code})`}`,
      `for a text that begins with @ write ${short(key)}:='"@${short(path)}"'`,
    );
  }
}

function pathOf(key: string, inputSchema: unknown): string[] {
  if (memberOf(inputSchema, key, inputSchema) !== undefined) return [key];
  const path = key.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  if (path.includes('')) throw new UsageError(`the key "${short(key)}" has an empty part`);
  return path;
}

function schemaAt(path: readonly string[], inputSchema: unknown): unknown {
  return path.reduce<unknown>((schema, name) => memberOf(schema, name, inputSchema), inputSchema);
}

function parse(key: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const whole = key === '--args' || key === 'standard input';
    const hint = whole ? wholeHint(key) : `for text write ${short(key)}=…`;
    throw new UsageError(`${short(key)}: "${short(text)}" is not JSON`, hint);
  }
}

/** A text stays text unless the schema wants something else and only that. */
function convert(key: string, text: string, schema: unknown, root: unknown): unknown {
  const types = typesOf(schema, root);
  if (types.size === 0 || types.has('string')) return text;
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    value = undefined;
  }
  const type = typeOf(value);
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new UsageError(`${short(key)}: ${short(text)} is too large to be sent exactly`);
  }
  if (types.has(type) || (type === 'integer' && types.has('number'))) return value;
  throw new UsageError(
    `${short(key)} wants ${[...types].map(article).join(' or ')}, and "${short(text)}" is none`,
    `${examples(types, short(key))}; to send it all the same: ${short(key)}:=json`,
  );
}

function examples(types: ReadonlySet<string>, key: string): string {
  if (types.has('array')) return `for example ${key}='["a", "b"]'`;
  if (types.has('object')) return `for example ${key}='{"a": 1}' or ${key}.a=1`;
  if (types.has('boolean')) return `for example ${key}=true`;
  return `for example ${key}=3`;
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function place(into: Arguments, path: readonly string[], value: unknown, key: string): void {
  let at = into;
  for (const [index, name] of path.entries()) {
    const last = index === path.length - 1;
    const taken = Object.hasOwn(at, name) ? at[name] : undefined;
    if (taken !== undefined && (last || !isObject(taken))) {
      throw new UsageError(`${short(key)}: "${short(path.slice(0, index + 1).join('.'))}" is given twice`);
    }
    const next = last ? value : (taken ?? {});
    // Defined, not assigned: a key may be `__proto__`.
    Object.defineProperty(at, name, { value: next, enumerable: true, configurable: true, writable: true });
    if (!last) at = next as Arguments; // an object: checked above, or made here
  }
}
