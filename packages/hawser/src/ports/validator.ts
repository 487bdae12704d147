import type { JsonSchema } from '../model/types.ts';

/** What is wrong with a value, in words a model can act on. */
export interface SchemaError {
  /** JSON Pointer into the value, empty for the value itself. */
  path: string;
  message: string;
}

/** Checks a value; undefined when it is valid. */
export type Validate = (value: unknown) => readonly SchemaError[] | undefined;

/** Compiles a JSON Schema. `trusted` schemas are the author's own, others come from a peer. */
export interface Validator {
  /** @throws ArgumentError when the schema cannot be used */
  compile(schema: JsonSchema, options: { trusted: boolean }): Validate;
}
