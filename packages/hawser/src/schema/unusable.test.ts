import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { compile } from './compile.ts';
import { SchemaError } from './errors.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';

/** The error of a schema that cannot be used. */
function refusal(schema: JsonObject): SchemaError {
  try {
    compile(schema);
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error('it was compiled');
}

describe('a schema that cannot be used', () => {
  test.each<[string, string, JsonObject]>([
    ['unknown_dialect', '', { $schema: 'urn:unknown-dialect' }],
    ['external_reference', '/properties/a/$ref', { properties: { a: { $ref: 'http://127.0.0.1:1/s' } } }],
    ['unresolved_reference', '/$ref', { $ref: '#/$defs/none' }],
    ['unresolved_reference', '/$ref', { $ref: '#none' }],
    ['malformed', '/$defs/a', { $ref: '#/$defs/a', $defs: { a: 5 } }],
    ['malformed', '/items/$id', { items: { $id: 'http://[' } }],
    ['pattern', '/patternProperties/(', { patternProperties: { '(': true } }],
  ])('[SEED-226 JS-006] %s at "%s"', (code, path, schema) => {
    const error = refusal(schema);
    expect(error).toBeInstanceOf(ArgumentError);
    expect({ code: error.code, path: error.path }).toEqual({ code, path });
  });

  test.each<[string, JsonObject]>([
    ['two resources', { $defs: { a: { $id: 'urn:example:x' }, b: { $id: 'urn:example:x' } } }],
    ['a resource and the document', { $id: 'http://e.test/a', $defs: { b: { $id: '/a' } } }],
    ['two anchors', { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }],
    ['an anchor and a dynamic one', { $defs: { a: { $dynamicAnchor: 'x' }, b: { $anchor: 'x' } } }],
    ['two anchors of draft-07', { $schema: draft07, definitions: { a: { $id: '#x' }, b: { $id: '#x' } } }],
  ])('[SEED-225] two with one name: %s', (_, schema) => {
    expect(refusal(schema).code).toBe('duplicate');
    const turned = JSON.parse(JSON.stringify(schema)) as JsonObject;
    for (const keyword of ['$defs', 'definitions']) {
      const defined = turned[keyword] as JsonObject | undefined;
      if (defined !== undefined) turned[keyword] = Object.fromEntries(Object.entries(defined).toReversed());
    }
    expect(refusal(turned).code).toBe('duplicate');
  });

  test('the same name in two resources is no matter', () => {
    const schema = { $anchor: 'x', $defs: { a: { $id: 'urn:example:a', $anchor: 'x', type: 'string' } } };
    expect(compile({ ...schema, properties: { a: { $ref: 'urn:example:a#x' } } }).isValid({ a: 5 })).toBe(false);
  });

  test('two schemas with one $id never meet', () => {
    const one = compile({ $id: 'urn:example:same', type: 'string' });
    const other = compile({ $id: 'urn:example:same', type: 'number' });
    expect([one.isValid('a'), other.isValid('a'), one.isValid(1), other.isValid(1)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('bounds are options', () => {
    const nested = { items: { items: {} } };
    expect(compile(nested, { maxDepth: 2 }).isValid([])).toBe(true);
    expect(() => compile(nested, { maxDepth: 1 })).toThrow('deeper than 1 levels');
    expect(compile(nested, { maxSubschemas: 3 }).isValid([])).toBe(true);
    expect(() => compile(nested, { maxSubschemas: 2 })).toThrow('more than 2 subschemas');
    expect(compile({ pattern: 'abc' }, { maxPatternLength: 3 }).isValid('abc')).toBe(true);
    expect(() => compile({ pattern: 'abcd' }, { maxPatternLength: 3 })).toThrow('at most 3 characters');
  });

  test('what is no JSON', () => {
    const cycle: JsonObject = { default: {} };
    cycle['default'] = cycle;
    expect(refusal(cycle).code).toBe('not_json');
    // JSON would have null in their place, and the schema mean something else.
    for (const number of [JSON.parse('1e400') as number, Number.NaN]) {
      expect(refusal({ const: number })).toMatchObject({ code: 'not_json' });
      expect(refusal({ properties: { a: { default: number } } })).toMatchObject({ code: 'not_json' });
      expect(refusal({ maximum: number })).toMatchObject({ code: 'malformed', path: '/maximum' });
    }
  });

  test('addresses and references of 2,000 characters, not one more', () => {
    const address = (length: number): string => 'http://e.test/'.padEnd(length, 'a');
    const pointed = (length: number): JsonObject => ({
      $ref: '#/'.padEnd(length, 'a'),
      ['a'.repeat(length - 2)]: true,
    });
    expect(compile({ $id: address(2_000) }).isValid(1)).toBe(true);
    expect(compile(pointed(2_000)).isValid(1)).toBe(true);
    for (const schema of [
      { $id: address(2_001) },
      pointed(2_001),
      { $id: `${address(1_990)}/`, not: { $id: 'a'.repeat(20) } },
    ])
      expect(refusal(schema).code, JSON.stringify(schema).slice(0, 30)).toBe('too_large');
    expect(refusal({ $id: address(1_998), $ref: 'aaaaaa' }).code).toBe('external_reference');
  });

  test('a bound that is no number above 0 is refused, not ignored', () => {
    for (const bound of [Number.NaN, 0, -1, '5' as unknown as number]) {
      for (const name of ['maxDepth', 'maxSubschemas', 'maxPatternLength', 'maxSteps'])
        expect(() => compile({}, { [name]: bound }), name).toThrow(ArgumentError);
      expect(() => compile({}).validate(1, { maxIssues: bound })).toThrow(ArgumentError);
    }
  });
});
