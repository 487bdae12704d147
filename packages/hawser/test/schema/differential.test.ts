/**
 * The engine beside another implementation, `@hyperjump/json-schema`, on random schemas and values. Where the two differ
 * the specification decides, and the difference is in the table below. `DIFFERENTIAL_RUNS` says how many schemas of each
 * dialect; 800 without it.
 */
import { registerSchema, unregisterSchema, validate, type SchemaObject } from '@hyperjump/json-schema/draft-2020-12';
// oxlint-disable import/no-unassigned-import -- a dialect is there once it is imported
import '@hyperjump/json-schema/draft-2019-09';
import '@hyperjump/json-schema/draft-07';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { compile } from '../../src/schema/compile.ts';
import type { DialectName } from '../../src/schema/dialects.ts';
import { cases, dialectUris } from './generate.ts';

const numRuns = Number(process.env['DIFFERENTIAL_RUNS'] ?? 800);
const dialects = ['2020-12', '2019-09', 'draft-07'] as const;
const timeout = Math.max(15_000, 10 * numRuns);
let registered = 0;

/** What the other implementation says; it has one registry for all, so schemas leave it at once. */
async function theirs(schema: JsonObject): Promise<(value: unknown) => boolean> {
  const { $id } = schema;
  const uri = typeof $id === 'string' ? $id : `https://example.test/${registered++}`;
  registerSchema(schema as SchemaObject, uri);
  try {
    const validator = await validate(uri);
    // It takes JSON, which all values here are.
    return (value) => validator(value as never).valid;
  } finally {
    unregisterSchema(uri);
  }
}

interface Disagreement {
  readonly what: string;
  /** What is right, and where the specification says so. */
  readonly why: string;
  readonly dialect: DialectName;
  readonly schema: JsonObject;
  readonly value: unknown;
  /** What this engine says; the other says the opposite, or refuses the schema. */
  readonly ours: boolean;
  readonly theirs?: 'refused';
  /** Whether a random schema may run into it. */
  readonly explains?: (dialect: DialectName, text: string) => boolean;
}

const disagreements: readonly Disagreement[] = [
  {
    what: 'a multiple of a decimal fraction',
    why: 'division has to give an integer (validation 6.2.1), of the numbers as they are written: -1 / 0.1 is -10',
    dialect: '2020-12',
    schema: { multipleOf: 0.1 },
    value: -1,
    ours: true,
  },
  {
    what: 'entries that contains has found, in 2019-09',
    why: 'unevaluatedItems looks at items and additionalItems only (2019-09 core 9.3.1.3); contains came with 2020-12',
    dialect: '2019-09',
    schema: { contains: true, unevaluatedItems: false },
    value: [1],
    ours: false,
    explains: (dialect, text) =>
      dialect === '2019-09' && text.includes('"contains"') && text.includes('"unevaluatedItems"'),
  },
  {
    what: 'dependencies in later dialects',
    why: 'no keyword of theirs, but kept in their meta-schemas for compatibility; peers still send it (suite, optional)',
    dialect: '2020-12',
    schema: { dependencies: { a: ['b'] } },
    value: { a: 1 },
    ours: false,
  },
  {
    what: 'an empty enumeration in draft-07',
    why: 'an array SHOULD have an element (draft-07 validation 6.1.2): nothing fits, but the schema can be used',
    dialect: 'draft-07',
    schema: { enum: [] },
    value: 1,
    ours: false,
    theirs: 'refused',
  },
  {
    what: 'format under not',
    why: 'what is not evaluated is never a match that makes a value invalid (SEED-214)',
    dialect: '2020-12',
    schema: { not: { format: 'date' } },
    value: 'no date',
    ours: true,
  },
  {
    what: 'contentSchema under not',
    why: 'as format: an annotation that decides nothing (validation 8.5), and nobody knows whether it fits',
    dialect: '2020-12',
    schema: { not: { contentMediaType: 'application/json', contentSchema: { type: 'number' } } },
    value: '"a"',
    ours: true,
  },
];

describe('known disagreements', () => {
  test.each(disagreements)('$what', async ({ schema, dialect, value, ours, theirs: refused }) => {
    const named = { $schema: dialectUris[dialect], ...schema };
    expect(compile(named).isValid(value)).toBe(ours);
    // Once the other implementation agrees, the row has to go.
    if (refused === 'refused') await expect(theirs(named)).rejects.toThrow('Invalid Schema');
    else expect((await theirs(named))(value)).toBe(!ours);
  });
});

describe('the same outcome', () => {
  test.each(dialects)('[SEED-207 SEED-220 SEED-212] %s', { timeout }, async (dialect) => {
    const seen = { valid: 0, invalid: 0 };
    await fc.assert(
      fc.asyncProperty(cases(dialect), async ({ schema, values }) => {
        const own = compile(schema);
        const other = await theirs(schema);
        expect(own.notEvaluated).toEqual([]);
        for (const value of values) {
          const outcome = own.isValid(value);
          seen[outcome ? 'valid' : 'invalid']++;
          if (other(value) === outcome) continue;
          const text = JSON.stringify(schema['allOf']) + JSON.stringify(schema['$defs']);
          const isKnown = disagreements.some(({ explains }) => explains?.(dialect, text) === true);
          expect(isKnown, `${JSON.stringify(value)} is ${outcome ? 'valid' : 'invalid'}`).toBe(true);
        }
      }),
      { numRuns },
    );
    // Values of one kind only would show little.
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(numRuns);
  });

  test.each(dialects)(
    '[SEED-214] %s with what is not evaluated: invalid only where it is so either way',
    { timeout },
    async (dialect) => {
      await fc.assert(
        fc.asyncProperty(cases(dialect, { partial: true }), async ({ schema, values }) => {
          const own = compile(schema);
          const wrong = values.filter((value) => !own.isValid(value));
          if (wrong.length === 0 || own.notEvaluated.length === 0) return;
          const text = JSON.stringify(schema);
          if (disagreements.some(({ explains }) => explains?.(dialect, text) === true)) return;
          const readings = [await theirs(schema), await theirs(failing(schema, dialect) as JsonObject)];
          for (const value of wrong) expect(readings.map((fits) => fits(value))).toEqual([false, false]);
        }),
        { numRuns: Math.ceil(numRuns / 2) },
      );
    },
  );
});

/** The schema as if no text had the format or the content that is asked for. */
function failing(schema: unknown, dialect: DialectName): unknown {
  if (Array.isArray(schema)) return schema.map((one) => failing(one, dialect));
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, one]) => [
      name,
      ['const', 'enum', 'default', 'x-unknown', 'contentSchema'].includes(name) ? one : failing(one, dialect),
    ]),
  );
  const isAsked = inner['format'] === 'date' || (isObject(inner['contentSchema']) && dialect !== 'draft-07');
  if (!isAsked || (dialect === 'draft-07' && '$ref' in inner)) return inner;
  return { allOf: [inner, { not: { type: 'string' } }] };
}
