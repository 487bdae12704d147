export { compile, compileUntrusted } from '../schema/compile.ts';
export type { CompiledSchema, CompileOptions, ValidateOptions, Validation } from '../schema/compile.ts';
export type { SchemaBounds } from '../schema/bounds.ts';
export { dialects } from '../schema/dialects.ts';
export type { DialectName } from '../schema/dialects.ts';
export { SchemaError } from '../schema/errors.ts';
export type { Issue, SchemaErrorCode } from '../schema/errors.ts';
export { nativePatterns } from '../schema/patterns.ts';
export type { Pattern, Patterns } from '../schema/patterns.ts';
