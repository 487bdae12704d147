import type { JsonSchema } from '../model/types.ts';
import type { Validate, Validator } from '../ports/index.ts';
import { compile, compileUntrusted, type CompiledSchema } from './compile.ts';

/** Most problems that are told of one value. */
const maxIssues = 20;

function compileWith(schema: JsonSchema, options: { readonly trusted: true }): Validate;
function compileWith(schema: JsonSchema, options: { readonly trusted: boolean }): Validate | Promise<Validate>;
function compileWith(schema: JsonSchema, { trusted }: { readonly trusted: boolean }): Validate | Promise<Validate> {
  return trusted ? validateBy(compile(schema)) : compileUntrusted(schema).then(validateBy);
}

/** Validation by the library's own engine: no code generation, nothing is fetched, and peers' schemas have a budget. */
export const defaultValidator: Validator = { compile: compileWith };

function validateBy(schema: CompiledSchema): Validate {
  const validate = (value: unknown): ReturnType<Validate> => {
    const result = schema.validate(value, { maxIssues });
    return result.valid ? undefined : result.issues;
  };
  return Object.assign(validate, { notEvaluated: schema.notEvaluated });
}
