/** Members of values as JSON has them: own, and not undefined. */
import type { JsonObject } from '../base/json.ts';

const common = Object.prototype;

/** Reads the members with these names from objects: without it, `constructor` would be a member of every object. */
export function readerOf(names: Iterable<string>): (value: unknown) => JsonObject {
  const isInherited = [...names].some((name) => name in common);
  return (value) => {
    const object = value as JsonObject;
    return isInherited || Object.getPrototypeOf(object) !== common ? bare(object) : object;
  };
}

/** A copy that inherits nothing. */
function bare(object: JsonObject): JsonObject {
  return Object.assign(Object.create(null) as JsonObject, object);
}

/** How many members an object has. */
export function countOf(value: unknown): number {
  const object = value as JsonObject;
  let count = 0;
  for (const name of Object.keys(object)) if (object[name] !== undefined) count++;
  return count;
}
