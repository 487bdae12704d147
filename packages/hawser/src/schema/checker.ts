import { ArgumentError, McpError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import type { JsonSchema } from '../model/types.ts';
import type { SchemaIssue, Validator } from '../ports/index.ts';
import { shapeProblem, unshown } from './mistaken.ts';
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
 * @param what names the schema in errors, as `tool "x": input`
 * @throws ArgumentError when it is unusable
 */
export function checkerFor(schema: AnySchema, side: 'input' | 'output', validator: Validator, what?: string): Checker {
  const prefix = what === undefined ? '' : `${what}: `;
  const problem = shapeProblem(schema);
  if (problem !== undefined) throw new ArgumentError(`${prefix}${problem}`);
  try {
    return made(schema, side, validator);
  } catch (error) {
    const member = isStandardSchema(schema) ? unshown(schema, side) : undefined;
    const { message, cause } = McpError.from(error);
    throw new ArgumentError(`${prefix}${message}${member === undefined ? '' : ` (at "${member}")`}`, { cause });
  }
}

function made(schema: AnySchema, side: 'input' | 'output', validator: Validator): Checker {
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
    .map(({ path, message }) => (path === '' ? message : `${sample(path)}: ${message}`))
    .join('; ');
}

/** A schema whose values are objects, as tool arguments have to be. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object';
}
