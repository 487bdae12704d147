import { positive } from '../base/positive.ts';
import type { JsonSchema } from '../model/types.ts';
import { boundsOf, trusted, untrusted, type Bounds, type SchemaBounds } from './bounds.ts';
import { Compiler } from './compiler.ts';
import { copyOf } from './copy.ts';
import type { DialectName } from './dialects.ts';
import { SchemaDocument } from './document.ts';
import { SchemaError, type Issue } from './errors.ts';
import { noFormats, type FormatOf } from './formats/port.ts';
import { nativePatterns, type Patterns } from './patterns.ts';
import { Report } from './report.ts';
import { BudgetError, Run } from './run.ts';

export interface CompileOptions extends SchemaBounds {
  /**
   * Whether `format` is asserted, for the formats of the dialect; else, and for all other formats, it is not evaluated.
   * The checks are loaded when they are first asked for, so what is compiled has to be waited for. Default false.
   */
  readonly assertFormats?: boolean | undefined;
  /** The engine for regular expressions. Default the platform's for {@link compile}, a linear one otherwise. */
  readonly patterns?: Patterns | undefined;
}

export interface ValidateOptions {
  /** How many issues are looked for; default 1. */
  readonly maxIssues?: number | undefined;
}

/** What validating gives. */
export type Validation = { readonly valid: true } | { readonly valid: false; readonly issues: readonly Issue[] };

/** A compiled JSON Schema. */
export interface CompiledSchema {
  readonly dialect: DialectName;
  /**
   * Keywords in it that are not evaluated: `format`, `contentSchema`. Where an outcome depends on one, it is neither a
   * match in `not`, `oneOf`, `if` or `contains`, nor a mismatch.
   */
  readonly notEvaluated: readonly string[];
  isValid(value: unknown): boolean;
  validate(value: unknown, options?: ValidateOptions): Validation;
}

/**
 * Compiles a JSON Schema of one's own: 2020-12 unless `$schema` says 2019-09, draft-07 or draft-06. References are
 * resolved within it, nothing is fetched, and no code is generated. It is copied: later changes do not matter.
 *
 * ```ts
 * const schema = compile({ type: 'object', required: ['city'] })
 * schema.validate({}) // { valid: false, issues: [{ path: '', keyword: 'required', … }] }
 * ```
 *
 * @throws SchemaError when it cannot be used; ArgumentError for options that are no positive numbers
 */
export function compile(
  schema: JsonSchema,
  options: CompileOptions & { readonly assertFormats: true },
): Promise<CompiledSchema>;
export function compile(
  schema: JsonSchema,
  options?: CompileOptions & { readonly assertFormats?: false | undefined },
): CompiledSchema;
export function compile(schema: JsonSchema, options: CompileOptions): CompiledSchema | Promise<CompiledSchema>;
export function compile(schema: JsonSchema, options: CompileOptions = {}): CompiledSchema | Promise<CompiledSchema> {
  const bounds = boundsOf(options, trusted);
  const document = documentOf(schema, bounds);
  const { patterns = nativePatterns } = options;
  if (options.assertFormats !== true) return compiled(document, bounds, patterns, noFormats);
  return allFormats().then((formatOf) => compiled(document, bounds, patterns, formatOf));
}

/**
 * Compiles a JSON Schema of somebody else: as {@link compile}, but it may have 500,000 characters, a validation
 * may take 500,000 steps, and regular expressions are matched in linear time. The engine for these is loaded when the first schema has one.
 *
 * @throws SchemaError when it cannot be used; also for regular expressions that the linear engine cannot match exactly.
 *   ArgumentError for options that are no positive numbers
 */
export async function compileUntrusted(schema: JsonSchema, options: CompileOptions = {}): Promise<CompiledSchema> {
  const bounds = boundsOf(options, untrusted);
  const document = documentOf(schema, bounds);
  const patterns = options.patterns ?? (document.patterns.size === 0 ? nativePatterns : await linearPatterns());
  const formatOf = options.assertFormats === true ? await allFormats() : noFormats;
  return compiled(document, bounds, patterns, formatOf);
}

/** They are much code, and most schemas do without. */
async function allFormats(): Promise<FormatOf> {
  const { formatOf } = await import('./formats/index.ts');
  return formatOf;
}

/** They are much code, and most schemas have no patterns. */
async function linearPatterns(): Promise<Patterns> {
  const { loadLinearPatterns } = await import('./regex/linear.ts');
  return loadLinearPatterns();
}

function documentOf(schema: JsonSchema, bounds: Bounds): SchemaDocument {
  let copy: JsonSchema;
  try {
    copy = copyOf(schema, bounds.maxLength);
  } catch (error) {
    // What is nested too deeply, or in itself, is better told by the walk over it.
    if (error instanceof SchemaError && error.code === 'not_json') void new SchemaDocument(schema, bounds);
    throw error;
  }
  return new SchemaDocument(copy, bounds);
}

function compiled(
  document: SchemaDocument,
  { maxSteps }: Bounds,
  patterns: Patterns,
  formatOf: FormatOf,
): CompiledSchema {
  const compiler = new Compiler(document, patterns, formatOf);
  const root = compiler.compile();
  const start = (): Run => {
    const run = new Run(maxSteps);
    if (document.isDynamic) run.scope.push(document.root.resource);
    return run;
  };
  const fits = (value: unknown): boolean | Issue => {
    try {
      return root.check(value, start());
    } catch (error) {
      return outOfBudget(error);
    }
  };
  return {
    dialect: document.root.resource.dialect.name,
    notEvaluated: compiler.notEvaluated,
    isValid: (value) => fits(value) === true,
    validate(value, options = {}) {
      const maxIssues = positive('maxIssues', options.maxIssues, 1, 'issues');
      const outcome = fits(value);
      if (outcome === true) return { valid: true };
      if (outcome !== false) return { valid: false, issues: [outcome] };
      const report = new Report(start(), maxIssues);
      try {
        report.visit(root, value, { path: '', schemaPath: '' });
      } catch (error) {
        const issue = outOfBudget(error);
        return { valid: false, issues: report.issues.length > 0 ? report.issues : [issue] };
      }
      return { valid: false, issues: report.issues };
    },
  };
}

/** @throws whatever it was, unless the work allowed had run out */
function outOfBudget(error: unknown): Issue {
  // A RangeError is a stack that is full, since a caller had used most of it.
  if (!(error instanceof BudgetError) && !(error instanceof RangeError)) throw error;
  const message = 'cannot be checked: that takes more work than is allowed';
  return { path: '', schemaPath: '', keyword: 'budget', message };
}
