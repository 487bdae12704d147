/** Members of values as JSON has them: own, and not undefined. */
import type { JsonObject } from '../base/json.ts';

/** Reads one member of an object. */
type Reader = (object: JsonObject, name: string) => unknown;

const direct: Reader = (object, name) => object[name];
/** Without it, `constructor` would be a member of every object. */
const own: Reader = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

const common = Object.prototype;

/** How the members with these names are read from a value. Nothing is copied: objects may be large. */
export function readerOf(names: Iterable<string>): (value: unknown) => Reader {
  const isInherited = [...names].some((name) => name in common);
  return (value) => (isInherited || Object.getPrototypeOf(value) !== common ? own : direct);
}

/** How many members an object has. */
export function countOf(value: unknown): number {
  const object = value as JsonObject;
  let count = 0;
  for (const name of Object.keys(object)) if (object[name] !== undefined) count++;
  return count;
}
