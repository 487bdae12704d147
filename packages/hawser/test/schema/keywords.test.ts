// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { compile, compileUntrusted } from '../../src/entry/schema.ts';
import { dialectUris } from './generate.ts';

const all = ['2020-12', '2019-09', 'draft-07'] as const;
const later = ['2020-12', '2019-09'] as const;
const tuples = ['2019-09', 'draft-07'] as const;

type Row = readonly [dialects: readonly (typeof all)[number][], schema: JsonObject, right: unknown[], wrong: unknown[]];

const keywords: readonly Row[] = [
  [all, { type: 'integer' }, [1, 1.0, -0], ['1', 1.5, null]],
  [all, { type: ['null', 'array'] }, [null, []], [{}, 0]],
  [all, { enum: [1, [{ a: 1 }]] }, [1, [{ a: 1 }]], [true, [{ a: 2 }], '1']],
  [all, { const: { a: 1, b: [] } }, [{ b: [], a: 1 }], [{ a: 1 }, { a: 1, b: {} }]],
  [all, { properties: { a: { type: 'number' } }, required: ['a'] }, [{ a: 1 }, 5], [{}, { a: '1' }]],
  [all, { patternProperties: { '^a': { type: 'number' } } }, [{ b: 'x', ab: 1 }], [{ ab: 'x' }]],
  [
    all,
    { properties: { a: true }, patternProperties: { b: true }, additionalProperties: false },
    [{ a: 1, cb: 2 }],
    [{ c: 1 }],
  ],
  [all, { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [all, { minProperties: 1, maxProperties: 2 }, [{ a: 1 }, []], [{}, { a: 1, b: 1, c: 1 }]],
  [later, { dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [later, { dependentSchemas: { a: { minProperties: 2 } } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [['draft-07'], { dependencies: { a: ['b'], c: { minProperties: 2 } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
  [all, { items: { type: 'number' } }, [[], [1]], [[1, 'a']]],
  [['2020-12'], { prefixItems: [{ type: 'number' }], items: { type: 'string' } }, [[1, 'a'], []], [['a'], [1, 1]]],
  [tuples, { items: [{ type: 'number' }], additionalItems: { type: 'string' } }, [[1, 'a'], []], [['a'], [1, 1]]],
  [all, { minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
  [
    all,
    { uniqueItems: true },
    [[1, true, '1', {}, []]],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [all, { contains: { type: 'string' } }, [[1, 'a']], [[], [1]]],
  [
    later,
    { contains: { type: 'string' }, minContains: 2, maxContains: 3 },
    [['a', 1, 'b']],
    [['a'], ['a', 'b', 'c', 'd']],
  ],
  [later, { contains: { type: 'string' }, minContains: 0 }, [[]], []],
  [all, { minLength: 2, maxLength: 3 }, ['ab', '\u{1F600}\u{1F600}'], ['a', '\u{1F600}', 'abcd']],
  [all, { pattern: '^\\p{Lu}.$' }, ['Äx', 'A\u{1F600}'], ['ax', 'A']],
  [all, { minimum: 1, maximum: 2 }, [1, 2], [0.9, 2.1]],
  [all, { exclusiveMinimum: 1, exclusiveMaximum: 2 }, [1.5], [1, 2]],
  [all, { multipleOf: 0.01 }, [19.99, 0, 1e300], [0.001]],
  [all, { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
  [all, { anyOf: [{ minimum: 2 }, { maximum: 1 }] }, [1, 2], [1.5]],
  [all, { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1]],
  [all, { not: { type: 'number' } }, ['a'], [1]],
  [all, { if: { minimum: 5 }, then: { maximum: 6 }, else: { maximum: 1 } }, [5, 0], [7, 2]],
  [all, { $ref: '#/definitions/a', definitions: { a: { type: 'number' } } }, [1], ['a']],
  [later, { $ref: '#/$defs/a', $defs: { a: { type: 'number' } }, minimum: 1 }, [1], ['a', 0]],
  [later, { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [['2020-12'], { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  [['2019-09'], { items: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
];

describe('keywords', () => {
  test.each(keywords.flatMap(([dialects, ...row]) => dialects.map((dialect) => [dialect, ...row] as const)))(
    '[SEED-207] %s %j',
    async (dialect, schema, right, wrong) => {
      const named = { $schema: dialectUris[dialect], ...schema };
      for (const compiled of [compile(named), await compileUntrusted(named)]) {
        expect(right.filter((value) => !compiled.isValid(value))).toEqual([]);
        expect(wrong.filter((value) => compiled.isValid(value))).toEqual([]);
      }
    },
  );

  test.each<[pattern: string, right: string, wrong: string]>([
    ['^(a|b\\1)+$', 'abab', 'ac'],
    ['^(?<=x{0,2})a(?<!b+)$', 'a', 'b'],
    ['(?<=a{1,3})b', 'aab', 'cb'],
    ['^\\cJ$', '\n', 'J'],
    ['^[^]$', '\u{1F600}', ''],
  ])('[SEED-209] expressions are those of the platform: %s', (pattern, right, wrong) => {
    const compiled = compile({ pattern });
    expect([compiled.isValid(right), compiled.isValid(wrong)]).toEqual([true, false]);
    expect(new RegExp(pattern, 'u').test(right)).toBe(true);
  });

  test.each([
    ['inline flags', '(?i)a'],
    ['a possessive quantifier', 'a++'],
    ['10,001 characters', 'a'.repeat(10_001)],
  ])('[SEED-210] unusable, by whomever: %s', async (_, pattern) => {
    const unusable = expect.objectContaining({ code: 'pattern', path: '/properties/a/pattern' }) as unknown;
    const schema = { properties: { a: { pattern } } };
    expect(() => compile(schema)).toThrow(unusable);
    await expect(compileUntrusted(schema)).rejects.toThrow(unusable);
  });

  test('[JS-008] x-mcp-header is not known: it changes nothing, whatever it holds', () => {
    for (const header of ['Region', '', 5, null, { type: 'string' }, ['a']]) {
      const compiled = compile({ properties: { a: { type: 'string', 'x-mcp-header': header } }, required: ['a'] });
      expect([compiled.isValid({ a: 'x' }), compiled.isValid({ a: 5 }), compiled.isValid({})]).toEqual([
        true,
        false,
        false,
      ]);
    }
  });
});

describe('what is elsewhere', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test('[JS-005 JS-004 SEED-226] is not fetched, and nothing turns that on', async () => {
    const fetch = vi.fn(() => Promise.reject(new Error('fetched')));
    vi.stubGlobal('fetch', fetch);
    for (const $ref of ['http://127.0.0.1:1/s', 'https://example.test/s#/a', 'file:///etc/hostname', 'other.json']) {
      for (const schema of [
        { $ref },
        { items: { $ref } },
        { $id: 'https://example.test/base', $defs: { a: { $ref } } },
      ]) {
        expect(() => compile(schema)).toThrow('nothing is fetched');
        await expect(compileUntrusted(schema)).rejects.toMatchObject({ code: 'external_reference' });
      }
    }
    // A meta-schema that is not one that is read is not fetched either.
    await expect(compileUntrusted({ $schema: 'https://example.test/dialect' })).rejects.toMatchObject({
      code: 'unknown_dialect',
    });
    expect(fetch).not.toHaveBeenCalled();
  });
});
