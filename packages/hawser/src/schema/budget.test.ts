// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { compile, compileUntrusted } from './compile.ts';
import type { Patterns } from './patterns.ts';

const budget = { valid: false, issues: [expect.objectContaining({ keyword: 'budget', path: '' }) as unknown] };

/** Each schema asks the next one twice: the work doubles with every one. */
function doubling(keyword: string, levels = 60): JsonObject {
  const $defs: JsonObject = { [`d${levels}`]: { type: 'number' } };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { [keyword]: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
}

function nested(levels: number, around: (inner: unknown) => unknown, inner: unknown = {}): unknown {
  for (let level = 0; level < levels; level++) inner = around(inner);
  return inner;
}

const wide = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));

describe('work is bounded by steps', () => {
  test.each<[string, JsonObject, unknown]>([
    ['anyOf that doubles', doubling('anyOf'), 'x'],
    ['oneOf that doubles', doubling('oneOf'), 'x'],
    ['allOf that doubles', doubling('allOf'), 1],
    ['anyOf that doubles, with what it evaluates', { ...doubling('anyOf'), unevaluatedProperties: false }, 'x'],
    ['under not', { not: doubling('anyOf') }, 'x'],
    ['under not not', { not: { not: doubling('anyOf') } }, 'x'],
    ['in a branch of anyOf', { anyOf: [doubling('anyOf'), true] }, 'x'],
    ['in if', { if: doubling('anyOf'), then: true, else: true }, 'x'],
    [
      'unevaluatedProperties, over and over',
      { allOf: Array.from({ length: 4_000 }, () => ({ unevaluatedProperties: true })) },
      wide(5_000),
    ],
    ['uniqueItems of very many', { uniqueItems: true }, Array.from({ length: 200_000 }, (_, at) => ({ at }))],
    ['a wide and deep value', { additionalProperties: { $ref: '#' } }, nested(20, (one) => ({ a: one, b: one }))],
  ])('[SEED-229 JS-007] %s', async (_, schema, value) => {
    // What is nested by reference to $defs is nested no longer once it stands within another schema.
    const flat = JSON.parse(JSON.stringify(schema)) as JsonObject;
    const inner = [flat['not'], flat['if'], (flat['anyOf'] as unknown[] | undefined)?.[0]].find(
      (one): one is JsonObject => typeof one === 'object',
    );
    const defined = inner?.['$defs'] ?? (inner?.['not'] as JsonObject | undefined)?.['$defs'];
    const compiled = await compileUntrusted(defined === undefined ? flat : { ...flat, $defs: defined });
    expect(compiled.validate(value)).toEqual(budget);
    expect(compiled.isValid(value)).toBe(false);
  });

  test('exactly as many as are allowed, every time', () => {
    const schema = { items: { type: 'number' } };
    const value = Array.from({ length: 100 }, (_, at) => at);
    const steps = Array.from({ length: 300 }, (_, at) => at + 1).find((maxSteps) =>
      compile(schema, { maxSteps }).isValid(value),
    );
    expect(steps).toBeGreaterThanOrEqual(100);
    for (let run = 0; run < 3; run++) {
      expect(compile(schema, { maxSteps: (steps ?? 0) - 1 }).validate(value)).toEqual(budget);
      expect(compile(schema, { maxSteps: steps }).isValid(value)).toBe(true);
    }
  });

  test('an author has as many as it takes', () => {
    const schema = compile(doubling('allOf', 18));
    expect(schema.isValid(1)).toBe(true);
    expect(compile(doubling('allOf', 18), { maxSteps: 100_000 }).isValid(1)).toBe(false);
  });

  test('[SEED-211] a pattern costs by the length of the text', async () => {
    const patterns: Patterns = { compile: () => ({ test: () => true, stepsPerCharacter: 10 }) };
    const schema = await compileUntrusted({ pattern: 'a' }, { patterns });
    expect(schema.isValid('a'.repeat(49_000))).toBe(true);
    expect(schema.validate('a'.repeat(51_000))).toEqual(budget);
  });

  test('[SEED-211] an empty text costs too: a search works at its end', async () => {
    const patterns: Patterns = { compile: () => ({ test: () => true, stepsPerCharacter: 400 }) };
    const schema = await compileUntrusted({ items: { pattern: 'a' } }, { patterns });
    expect(schema.isValid(Array(1_000).fill(''))).toBe(true);
    expect(schema.validate(Array(2_000).fill(''))).toEqual(budget);
  });

  test('what is known to be wrong is told, however much work the rest is', async () => {
    const schema = await compileUntrusted({ properties: { a: { type: 'string' } } });
    expect(schema.validate({ a: 1 })).toMatchObject({ valid: false, issues: [{ path: '/a', keyword: 'type' }] });
    const { $defs } = doubling('anyOf');
    const rest = await compileUntrusted({
      required: ['a'],
      properties: { b: { $ref: '#/$defs/d0' } },
      $defs,
    });
    expect(rest.validate({ b: 'x' }, { maxIssues: 10 })).toMatchObject({ valid: false });
  });
});

describe('evaluation that does not end', () => {
  test.each<[string, JsonObject]>([
    ['a reference to itself', { $ref: '#' }],
    ['under not', { not: { $ref: '#' } }],
    [
      'two that refer to each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
    ],
    ['$dynamicRef', { $id: 'http://e.test/', $dynamicAnchor: 'x', $dynamicRef: '#x' }],
    [
      '$recursiveRef',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveAnchor: true, $recursiveRef: '#' },
    ],
    ['with what it evaluates', { allOf: [{ $ref: '#' }], unevaluatedItems: false }],
  ])('[SEED-229] %s, trusted or not', async (_, schema) => {
    expect(compile(schema).validate([])).toEqual(budget);
    expect((await compileUntrusted(schema)).validate([])).toEqual(budget);
  });

  test('what short-circuits before it does, ends', () => {
    expect(compile({ anyOf: [true, { $ref: '#' }] }).isValid(1)).toBe(true);
  });
});

describe('deep values', () => {
  const list = { type: 'object', properties: { next: { $ref: '#' } } };
  const linked = (levels: number): unknown => nested(levels, (next) => ({ next }));

  test('as deep as messages may be', async () => {
    expect(compile(list).isValid(linked(510))).toBe(true);
    expect((await compileUntrusted(list)).isValid(linked(510))).toBe(true);
    expect(compile(list).validate(nested(500, (next) => ({ next }), 5))).toMatchObject({
      valid: false,
      issues: [{ path: '/next'.repeat(500), keyword: 'type' }],
    });
  });

  test('[SEED-229] deeper ones have a typed outcome', () => {
    expect(compile(list).validate(linked(100_000))).toEqual(budget);
    expect(compile({ const: [[]] }).validate(nested(100_000, (one) => [one]))).toEqual(budget);
    expect(compile({ uniqueItems: true }).validate([nested(100_000, (one) => [one]), 1])).toEqual(budget);
  });

  test('a long chain of references is compiled', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, at) => [
        `d${at}`,
        at === 8_999 ? { type: 'number' } : { $ref: `#/$defs/d${at + 1}` },
      ]),
    );
    expect(compile({ $defs, $ref: '#/$defs/d8000' }).isValid('x')).toBe(false);
    expect(compile({ $defs, $ref: '#/$defs/d0' }).validate(1)).toEqual(budget);
  });
});
