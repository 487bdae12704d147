// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { compile, compileUntrusted } from './compile.ts';
import { multiplesOf } from './decimal.ts';
import { JsonSet } from './equality.ts';
import { Run } from './run.ts';

const names = fc.constantFrom('a', 'b', 'ab', 'constructor', '__proto__');
const scalars = fc.constantFrom<unknown>(null, true, false, 0, 1, 1.5, 2, '', 'a', 'ab', '\u{1F600}');

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}));

const types = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'string', 'integer');
const count = fc.nat(3);

/** Schemas of every keyword, with references among the definitions that do not lead back to where they come from. */
const { schema } = fc.letrec<{ schema: JsonObject | boolean }>((tie) => {
  const one = tie('schema');
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(names, one, { maxKeys: 3 });
  const keywords = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(value, { maxLength: 3 }),
    const: value,
    minimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom('a', '^a$', 'b'),
    format: fc.constantFrom('date', 'unknown'),
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom('a', '^b', 'c'), one, { maxKeys: 2 }),
    additionalProperties: one,
    propertyNames: one,
    required: fc.uniqueArray(names, { maxLength: 2 }),
    maxProperties: count,
    dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2 }),
    dependentSchemas: named,
    unevaluatedProperties: one,
    prefixItems: some,
    items: one,
    contains: one,
    minContains: count,
    maxContains: count,
    minItems: count,
    uniqueItems: fc.boolean(),
    unevaluatedItems: one,
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: one,
    if: one,
    then: one,
    else: one,
    $ref: fc.constantFrom('#/$defs/a', '#b', 'urn:example:c'),
    $dynamicRef: fc.constantFrom('#d', 'urn:example:c#d'),
  };
  const entries = Object.entries<fc.Arbitrary<unknown>>(keywords).map(([name, arbitrary]) =>
    arbitrary.map((entry): [string, unknown] => [name, entry]),
  );
  // Few keywords at a time, so that some values fit.
  const few = fc.array(fc.oneof({ maxDepth: 3 }, ...entries), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      few.map((all): JsonObject => Object.fromEntries(all)),
    ),
  };
});

const documents = schema.map((root) => ({
  allOf: [root],
  $defs: {
    a: { type: ['object', 'string'], properties: { a: true } },
    b: { $anchor: 'b', minLength: 1, minItems: 1 },
    c: { $id: 'urn:example:c', items: { $dynamicRef: '#d' }, $defs: { d: { $dynamicAnchor: 'd' } } },
    d: { $dynamicAnchor: 'd', type: ['number', 'array'] },
  },
}));

test('the outcome and its reasons agree, trusted or not, and there is a reason for every failure', async () => {
  await fc.assert(
    fc.asyncProperty(documents, fc.array(value, { maxLength: 5 }), async (document, values) => {
      const compiled = compile(document);
      const untrusted = await compileUntrusted(document);
      for (const one of values) {
        const result = compiled.validate(one, { maxIssues: 50 });
        expect(compiled.isValid(one)).toBe(result.valid);
        expect(untrusted.validate(one, { maxIssues: 50 })).toEqual(result);
        if (result.valid) continue;
        expect(result.issues.length).toBeGreaterThan(0);
        expect(result.issues.map(({ message }) => message)).not.toContain('');
        for (const { path } of result.issues) expect(path === '' || path.startsWith('/')).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('what two schemas say together is what each says', () => {
  fc.assert(
    fc.property(documents, documents, value, ({ allOf: [one], $defs }, { allOf: [other] }, given) => {
      const fits = (root: JsonObject): boolean => compile({ ...root, $defs }).isValid(given);
      const [first, second] = [fits({ allOf: [one] }), fits({ allOf: [other] })];
      expect(fits({ allOf: [one, other] })).toBe(first && second);
      expect(fits({ anyOf: [one, other] })).toBe(first || second);
      expect(fits({ properties: { x: true }, allOf: [one], unevaluatedProperties: true, unevaluatedItems: true })).toBe(
        first,
      );
    }),
    { numRuns: 500 },
  );
});

/** Equality as it is defined, one by one. */
function equal(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [first, second] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))];
  return (
    first.length === second.size && first.every(([key, entry]) => second.has(key) && equal(entry, second.get(key)))
  );
}

test('[SEED-208] a set of values holds each once', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const run = new Run(Infinity);
      const set = new JsonSet();
      expect(set.add(one, run)).toBe(true);
      expect(set.has(other, run)).toBe(equal(one, other));
      expect(set.add(other, run)).toBe(!equal(one, other));
    }),
    { numRuns: 2_000 },
  );
});

test('multiples are found in decimal', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -9999, max: 9999 }),
      fc.integer({ min: 1, max: 999 }),
      fc.nat(6),
      (times, digits, places) => {
        const decimal = (units: number): number => Number(`${units}e-${places}`);
        const isMultiple = multiplesOf(decimal(digits));
        expect(isMultiple(decimal(times * digits))).toBe(true);
        if (digits > 1) expect(isMultiple(decimal(times * digits + 1))).toBe(false);
      },
    ),
  );
});
