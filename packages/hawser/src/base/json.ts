import { isDeeperThan } from './depth.ts';

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

/** How deep a message may be nested, unless whoever takes it is stricter. */
const maxJsonDepth = 512;

/**
 * Parses JSON text; never throws. Text that is nested deeper than 512 levels counts as none: the platform's parser
 * takes seconds over a million levels, and nobody is to be held up by such a peer.
 */
export function parseJson(text: string): unknown {
  return isDeeperThan(text, maxJsonDepth) ? notJson : parseShallowJson(text);
}

/** The same for text whose depth has been looked at, so that it is not gone through twice. */
export function parseShallowJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return notJson;
  }
}
