import { dereference, validate, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { ArgumentError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import type { JsonSchema } from '../model/types.ts';
import type { SchemaError, Validator } from '../ports/index.ts';
import { schemaProblem } from './wellformed.ts';

/** The dialects that are understood, by their `$schema`. Without one it is 2020-12 (basic/index "JSON Schema Usage"). */
const dialects = new Map<string, SchemaDraft>([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', '7'],
]);

/**
 * Validation by `@cfworker/json-schema`: no code generation, and nothing is ever fetched. Schemas that are malformed,
 * of an unknown dialect, or refer to what is not in them are refused when they are compiled.
 */
export const defaultValidator: Validator = {
  compile(schema) {
    const draft = dialectOf(schema['$schema']);
    const problem = schemaProblem(schema, draft !== '2020-12');
    if (problem !== undefined) throw unusable(problem);
    const own = copied(schema);
    const subschemas = resolve(own);
    return (value) => {
      const { valid, errors } = validate(value, own, draft, subschemas);
      if (valid) return undefined;
      const telling = errors.filter(({ keyword }) => !passing.has(keyword));
      return (telling.length > 0 ? telling : errors).map(({ instanceLocation, error }): SchemaError => ({
        path: instanceLocation.replace(/^#/, ''),
        message: error,
      }));
    };
  },
};

/** Errors of these only say that there is another one further down. */
const passing = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf']);

/** The engine writes into the schemas it is given, and passes over the empty reference, to the schema itself. */
function copied(schema: JsonSchema): Schema {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && value === '' ? '#' : value,
  );
  return copy as Schema;
}

function dialectOf(named: unknown): SchemaDraft {
  if (named === undefined) return '2020-12';
  const plain = typeof named === 'string' ? named.replace(/#$/, '') : '';
  const draft = dialects.get(plain) ?? dialects.get(plain.replace(/^https:/, 'http:'));
  if (draft !== undefined) return draft;
  const shown = typeof named === 'string' ? `"${sample(named, 100)}"` : typeof named;
  throw unusable(`its dialect ${shown} is not supported; supported: ${[...dialects.keys()].join(', ')}`);
}

/** All subschemas by their address, every reference answered by one of them. */
function resolve(schema: Schema): Record<string, Schema | boolean> {
  let subschemas: Record<string, Schema | boolean>;
  try {
    subschemas = dereference(schema);
  } catch (cause) {
    throw new ArgumentError('the JSON Schema cannot be used', { cause });
  }
  for (const subschema of Object.values(subschemas)) {
    const { $ref, __absolute_ref__: address } = subschema as JsonSchema;
    if (typeof address === 'string' && subschemas[address] === undefined)
      throw unusable(`$ref "${sample(String($ref), 100)}" leads to nothing within it`);
  }
  return subschemas;
}

function unusable(problem: string): ArgumentError {
  return new ArgumentError(`the JSON Schema cannot be used: ${problem}`);
}
