import type { JsonSchema } from '../model/types.ts';

/** What is wrong with a value, in words a model can act on. */
export interface SchemaIssue {
  /** JSON Pointer into the value, empty for the value itself. */
  path: string;
  message: string;
}

/** Checks a value; undefined when it is valid. */
export interface Validate {
  (value: unknown): readonly SchemaIssue[] | undefined;
  /** Keywords of the schema that are not evaluated, such as `format`: what passes may still not be what they say. */
  readonly notEvaluated?: readonly string[];
}

/** Compiles JSON Schemas. */
export interface Validator {
  /**
   * Compiles a JSON Schema. `trusted` schemas are the author's own; they are needed at once. Others come from a peer,
   * and may be waited for.
   *
   * @throws ArgumentError (or a promise of it) when the schema cannot be used
   */
  compile(schema: JsonSchema, options: { readonly trusted: true }): Validate;
  compile(schema: JsonSchema, options: { readonly trusted: boolean }): Validate | Promise<Validate>;
}
