import { isObject, type JsonObject } from '../base/json.ts';
import { SchemaError } from './errors.ts';

/**
 * A copy as JSON has it: later changes to the original change nothing, and callers see what is checked.
 *
 * @throws SchemaError `not_json`, also for a number that JSON would turn into null; `malformed` for what is no object; `too_large`
 */
export function copyOf(schema: unknown, maxLength = Infinity): JsonObject {
  let copy: unknown;
  try {
    const text = isObject(schema) ? JSON.stringify(schema, finite) : 'null';
    if (text.length > maxLength) throw new SchemaError('too_large', `it has more than ${maxLength} characters`);
    copy = JSON.parse(text);
  } catch (cause) {
    throw cause instanceof SchemaError ? cause : new SchemaError('not_json', 'it is no JSON', '', { cause });
  }
  if (!isObject(copy)) throw new SchemaError('malformed', 'it is no object, nor a Standard Schema');
  return copy;
}

function finite(_name: string, member: unknown): unknown {
  if (typeof member === 'number' && !Number.isFinite(member))
    throw new SchemaError('not_json', 'it holds Infinity or NaN');
  return member;
}
