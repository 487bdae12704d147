import type { JsonSchema } from '../model/types.ts';
import { toJsonSchema, type AnySchema } from './standard.ts';

/**
 * A Standard Schema (of zod, valibot, arktype or any library with Standard JSON Schema) as JSON Schema 2020-12: what it
 * takes (`input`, the default), or what it gives. Plain JSON Schema is copied.
 *
 * @throws ArgumentError when it cannot be shown as JSON Schema
 */
export function fromStandard(schema: AnySchema, side: 'input' | 'output' = 'input'): JsonSchema {
  return toJsonSchema(schema, side);
}
