import { isObject } from '../base/json.ts';
import type { JsonSchema } from '../model/types.ts';
import type { SchemaIssue, Validator } from '../ports/index.ts';
import { isStandardSchema, pointer, toJsonSchema, type AnySchema } from './standard.ts';

/** A value that passed, as the schema's library gives it (defaults filled in, coerced), or what is wrong. */
export type Checked =
  | { readonly value: unknown; readonly errors?: undefined }
  | { readonly errors: readonly SchemaIssue[] };

/** A schema made ready: how it is shown to others, and how values are checked. */
export interface Checker {
  readonly jsonSchema: JsonSchema;
  check(value: unknown): Checked | Promise<Checked>;
}

/**
 * Makes an author's schema ready for use, once.
 *
 * @throws ArgumentError when it is unusable
 */
export function checkerFor(schema: AnySchema, side: 'input' | 'output', validator: Validator): Checker {
  const jsonSchema = toJsonSchema(schema, side);
  if (isStandardSchema(schema)) {
    const { validate } = schema['~standard'];
    const judge = (result: Awaited<ReturnType<typeof validate>>): Checked =>
      result.issues === undefined
        ? result
        : { errors: result.issues.map(({ path, message }) => ({ path: pointer(path), message })) };
    return {
      jsonSchema,
      check(value) {
        const result = validate(value);
        return result instanceof Promise ? result.then(judge) : judge(result);
      },
    };
  }
  const validate = validator.compile(jsonSchema, { trusted: true });
  return {
    jsonSchema,
    check(value) {
      const errors = validate(value);
      return errors === undefined ? { value } : { errors };
    },
  };
}

/** Errors as one text that names the places, for a model to act on. */
export function explain(errors: readonly SchemaIssue[]): string {
  return errors
    .slice(0, 20)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}

/** A schema whose values are objects, as tool arguments have to be. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return isObject(schema) && schema['type'] === 'object';
}
