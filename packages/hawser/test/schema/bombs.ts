/** Schemas and values that are meant to do harm, and what has to come of them when the schema is a stranger's. */
import type { JsonObject } from '../../src/base/json.ts';
import { compileUntrusted, type CompileOptions } from '../../src/schema/compile.ts';
import { SchemaError } from '../../src/schema/errors.ts';
import type { Bomb, Outcome } from './bombs/bomb.ts';
import { compiling, documents } from './bombs/compiling.ts';
import { combinations, cycles } from './bombs/evaluation.ts';
import { formatBombs } from './bombs/formats.ts';
import { patternBombs } from './bombs/patterns.ts';
import { uncharged } from './bombs/uncharged.ts';
import { values } from './bombs/values.ts';

export { patternBombs };
export type { Bomb };

export const bombs: readonly Bomb[] = [
  ...patternBombs,
  ...combinations,
  ...cycles,
  ...values,
  ...documents,
  ...uncharged,
  ...formatBombs,
  ...compiling,
];

/** What comes of it: at once for a schema that is refused, of the validation for others. */
export async function outcomeOf(schema: JsonObject, value: unknown, options: CompileOptions = {}): Promise<Outcome> {
  try {
    const result = (await compileUntrusted(schema, options)).validate(value);
    if (result.valid) return 'valid';
    return result.issues[0]?.keyword === 'budget' ? 'budget' : 'invalid';
  } catch (error) {
    if (error instanceof SchemaError) return error.code;
    throw error;
  }
}
