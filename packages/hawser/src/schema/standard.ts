/** Standard Schema and Standard JSON Schema, as far as the library needs them (standardschema.dev). */
import { ArgumentError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { JsonSchema } from '../model/types.ts';
import { copyOf } from './copy.ts';
import type { FromJsonSchema } from './infer.ts';
import { step } from './pointer.ts';

/** What a check of a Standard Schema gives. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of zod, valibot, arktype or any other library that implements Standard Schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema. */
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
          readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
        }
      | undefined;
  };
}

/** What an author may give as a schema. */
export type AnySchema = StandardSchema | JsonSchema;

/**
 * The type of a schema's checked value. A JSON Schema that is written out where it is given (or `as const`) says it as
 * well, six levels deep; one that is not literal gives `Record<string, unknown>`.
 */
export type Infer<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Literal<Schema>;

/** The type of values a schema takes; see {@link Infer}. */
export type InferInput<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input
  : Literal<Schema>;

/** What may be given for a schema to check; `unknown` where the schema does not say it plainly. */
export type Given<Schema> = [Schema] extends [never]
  ? unknown
  : Schema extends { readonly '~standard': { readonly types?: { readonly input: infer Input } | undefined } }
    ? Input
    : string extends keyof Schema
      ? unknown
      : FromJsonSchema<Schema>;

type Literal<Schema> = string extends keyof Schema
  ? Record<string, unknown>
  : unknown extends FromJsonSchema<Schema>
    ? Record<string, unknown>
    : FromJsonSchema<Schema>;

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  // Some libraries make their schemas callable.
  if (!isObject(schema) && typeof schema !== 'function') return false;
  const standard: unknown = (schema as { '~standard'?: unknown })['~standard'];
  return isObject(standard) && standard['version'] === 1 && typeof standard['validate'] === 'function';
}

/**
 * A schema as JSON Schema, for `tools/list`.
 *
 * @throws ArgumentError when it cannot be shown as JSON Schema
 */
export function toJsonSchema(schema: AnySchema, side: 'input' | 'output'): JsonSchema {
  if (!isStandardSchema(schema)) return copyOf(schema);
  const { vendor, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new ArgumentError(
      `a schema of ${vendor} cannot be shown as JSON Schema: use a version with Standard JSON Schema, or give plain JSON Schema`,
    );
  }
  try {
    return copyOf(jsonSchema[side]({ target: 'draft-2020-12' }));
  } catch (cause) {
    const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
    throw new ArgumentError(`a schema of ${vendor} cannot be shown as JSON Schema${why}`, { cause });
  }
}

/** The path of an issue as a JSON Pointer. */
export function pointer(path: StandardIssue['path']): string {
  if (path === undefined) return '';
  return path.map((key) => step(String(typeof key === 'object' ? key.key : key))).join('');
}
