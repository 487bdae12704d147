/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object whose members are not known. */
export type JsonObject = { [key: string]: unknown };

/** A JSON object, as opposed to null, an array or a primitive. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What {@link parseJson} gives for text that is not JSON; no JSON text parses to it. */
export const notJson: unique symbol = Symbol('not JSON');

/** Parses JSON text; never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return notJson;
  }
}
