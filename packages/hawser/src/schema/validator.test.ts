import { anything, assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { defaultValidator } from './validator.ts';

const compile = (schema: JsonObject) => defaultValidator.compile(schema, { trusted: true });
const fits = (schema: JsonObject, value: unknown): boolean => compile(schema)(value) === undefined;

const uri = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
};

describe('JSON Schema usage', () => {
  const tuple = { prefixItems: [{ type: 'string' }], items: { type: 'number' } };

  test.each([
    ['none', {}],
    ['2020-12', { $schema: uri['2020-12'] }],
    ['2020-12 with an empty fragment', { $schema: `${uri['2020-12']}#` }],
  ])('[JS-001 BUG-078] 2020-12 is the default dialect: $schema %s', (_, named) => {
    expect(fits({ ...named, ...tuple }, ['a', 1, 2])).toBe(true);
    expect(fits({ ...named, ...tuple }, [1])).toBe(false);
    expect(fits({ ...named, ...tuple }, ['a', 'b'])).toBe(false);
    // Beside a reference other keywords count, which they do not in draft-07.
    expect(fits({ ...named, $defs: { n: { type: 'number' } }, $ref: '#/$defs/n', minimum: 5 }, 4)).toBe(false);
    // A list as items is of older dialects.
    expect(() => compile({ ...named, items: [{ type: 'string' }] })).toThrow('/items: ');
  });

  test.each([`${uri['draft-07']}#`, uri['draft-07'], 'https://json-schema.org/draft-07/schema'])(
    '[BUG-078] draft-07 is understood: %s',
    ($schema) => {
      const old = { $schema, items: [{ type: 'string' }], additionalItems: false };
      expect(fits(old, ['a'])).toBe(true);
      expect(fits(old, [1])).toBe(false);
      expect(fits(old, ['a', 'b'])).toBe(false);
      expect(fits({ $schema, dependencies: { a: ['b'] } }, { a: 1 })).toBe(false);
      expect(fits({ $schema, definitions: { n: { type: 'number' } }, $ref: '#/definitions/n' }, 'a')).toBe(false);
      // Beside a reference nothing else counts.
      expect(fits({ $schema, definitions: { n: { type: 'number' } }, $ref: '#/definitions/n', minimum: 5 }, 4)).toBe(
        true,
      );
    },
  );

  test('[JS-002] 2019-09 is understood', () => {
    const $schema = uri['2019-09'];
    expect(fits({ $schema, items: [{ type: 'string' }], additionalItems: false }, ['a', 'b'])).toBe(false);
    expect(fits({ $schema, dependentRequired: { a: ['b'] } }, { a: 1 })).toBe(false);
    expect(fits({ $schema, unevaluatedProperties: false, properties: { a: {} } }, { b: 1 })).toBe(false);
  });

  test.each([
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-03/schema#',
    'urn:unknown-dialect',
    'https://json-schema.org/draft/2020-12/schema/more',
    '',
    '#',
    5,
    null,
  ])('[JS-002 BUG-078] an unknown dialect is an error that names it and those supported: %j', ($schema) => {
    const failing = (): unknown => compile({ $schema, type: 'object' });
    expect(failing).toThrow(ArgumentError);
    expect(failing).toThrow(typeof $schema === 'string' ? `"${$schema}"` : 'dialect');
    for (const supported of Object.values(uri)) expect(failing).toThrow(supported);
  });

  test('$schema in a subschema changes nothing', () => {
    expect(
      fits({ properties: { a: { $schema: uri['draft-07'], prefixItems: [{ type: 'string' }] } } }, { a: [1] }),
    ).toBe(false);
  });
});

describe('what is no schema', () => {
  test.each<[string, JsonObject]>([
    ['a type that is none', { type: 'int' }],
    ['a list of types with one that is none', { type: ['string', 'text'] }],
    ['no types', { type: [] }],
    ['required null', { required: null }],
    ['required that is text', { required: 'a' }],
    ['required with a number in it', { required: ['a', 1] }],
    ['properties null', { properties: null }],
    ['a property that is a list', { properties: { required: ['coin'] } }],
    ['a property that is null', { properties: { a: null } }],
    ['items that are text', { items: 'string' }],
    ['no choices', { anyOf: [] }],
    ['choices that are no list', { oneOf: { type: 'string' } }],
    ['a choice that is text', { allOf: ['a'] }],
    ['an enumeration that is no list', { enum: 'a' }],
    ['a bound that is text', { minimum: '1' }],
    ['a length below zero', { minLength: -1 }],
    ['a length with a fraction', { maxItems: 1.5 }],
    ['a step of zero', { multipleOf: 0 }],
    ['a title that is a number', { title: 5 }],
    ['a description that is a list', { description: [] }],
    ['uniqueItems that is text', { uniqueItems: 'yes' }],
    ['a reference that is no text', { $ref: 5 }],
    ['definitions that are a list', { $defs: [] }],
    ['an address that is no text', { $id: 5 }],
    ['an address with a fragment', { $id: 'http://e.test/s#part' }],
    ['an anchor that is no name', { $anchor: '#a' }],
    ['deep inside', { properties: { a: { items: { not: { patternProperties: { a: { type: 'x' } } } } } } }],
  ])('[JS-003 BUG-072] %s', (_, schema) => {
    expect(() => compile(schema)).toThrow(ArgumentError);
  });

  test.each<JsonObject>([
    {},
    { properties: { a: true, b: false } },
    { type: ['string', 'null'], const: null, enum: [null, 1, {}], default: { type: 'int' }, examples: [{ type: 5 }] },
    { $defs: {}, definitions: {}, allOf: [true], not: false, items: false, prefixItems: [true] },
    { minimum: -1.5, maximum: 1e300, multipleOf: 0.01, minLength: 0, maxLength: 5 },
    { 'x-mcp-header': '', later: [1], title: '', description: '', $comment: '', deprecated: true, format: 'later' },
    { properties: { type: { type: 'string' }, required: { type: 'boolean' }, pattern: { minLength: 1 } } },
    { required: [], dependentRequired: { a: ['b'] }, $id: 'http://e.test/s', $anchor: 'a' },
  ])('[JS-003] a schema, however odd: %j', (schema) => {
    expect(compile(schema)).toBeTypeOf('function');
  });

  test('the place is named', () => {
    expect(() => compile({ properties: { 'a/b': { items: { type: 'int' } } } })).toThrow(
      '/properties/a~1b/items/type: must be one or more of',
    );
  });

  test('whatever a peer sends as a schema, it is compiled or refused', () => {
    assert(
      property(anything(), (schema) => {
        try {
          compile({ properties: { a: schema }, items: schema });
        } catch (error) {
          expect(error).toBeInstanceOf(ArgumentError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('bounds', () => {
  const nested = (levels: number): JsonObject => {
    let schema: JsonObject = {};
    for (let level = 0; level < levels; level++) schema = { items: schema };
    return schema;
  };
  const wide = (count: number): JsonObject => ({ anyOf: Array.from({ length: count }, () => ({ type: 'string' })) });

  test('64 levels of subschemas, 65 are too many', () => {
    expect(compile(nested(64))).toBeTypeOf('function');
    expect(() => compile(nested(65))).toThrow('deeper than 64 levels');
    expect(() => compile(nested(100_000))).toThrow('deeper than 64 levels');
  });

  test('10,000 subschemas, 10,001 are too many', () => {
    expect(compile(wide(9_999))).toBeTypeOf('function');
    expect(() => compile(wide(10_000))).toThrow('more than 10000 subschemas');
  });

  test('[SEED-210] 10,000 characters of a pattern, 10,001 are too many', () => {
    expect(compile({ pattern: 'a'.repeat(10_000) })).toBeTypeOf('function');
    expect(() => compile({ pattern: 'a'.repeat(10_001) })).toThrow('/pattern: must have at most 10000 characters');
    expect(() => compile({ patternProperties: { ['a'.repeat(10_001)]: {} } })).toThrow(
      'must have at most 10000 characters',
    );
  });

  test.each(['a++', '(?#comment)a', '(', '[', '\\', 'a{2,1}', '(?<a', '\\p{Nonsense}', '\\Z'])(
    '[SEED-210] a pattern that is not of ECMA-262 makes the schema unusable: %s',
    (pattern) => {
      expect(() => compile({ pattern })).toThrow(ArgumentError);
      expect(() => compile({ patternProperties: { [pattern]: {} } })).toThrow(ArgumentError);
    },
  );

  test.each(['', '^a$', '\\d+', '\\p{L}', '(?<=a)b', '(a)\\1', '[^]', '\\u{1F600}'])(
    'a pattern of ECMA-262: %j',
    (pattern) => {
      expect(compile({ pattern })).toBeTypeOf('function');
    },
  );
});

describe('reference resolution', () => {
  test.each([
    'http://127.0.0.1:1/schema.json',
    'https://example.test/schema.json#/a',
    'file:///etc/passwd',
    'other.json',
    'urn:example:nowhere',
    '#/$defs/nowhere',
    '#nowhere',
    'http://[',
  ])('[JS-006 JS-004 SEED-226] a reference to what is not in the schema is refused: %s', ($ref) => {
    expect(() => compile({ properties: { a: { $ref } } })).toThrow(ArgumentError);
  });

  test.each<[string, JsonObject]>([
    ['a pointer', { $defs: { n: { type: 'number' } }, $ref: '#/$defs/n' }],
    ['a pointer with escapes', { $defs: { 'a/b~c%': { type: 'number' } }, $ref: '#/$defs/a~1b~0c%25' }],
    ['an anchor', { $defs: { n: { $anchor: 'n', type: 'number' } }, $ref: '#n' }],
    ['a URN', { $defs: { n: { $id: 'urn:example:n', type: 'number' } }, $ref: 'urn:example:n' }],
    [
      'a relative URI',
      { $id: 'http://e.test/base.json', $defs: { n: { $id: 'n.json', type: 'number' } }, $ref: 'n.json' },
    ],
    ['definitions', { definitions: { n: { type: 'number' } }, $ref: '#/definitions/n' }],
    ['an $id in definitions', { definitions: { n: { $id: 'urn:example:n', type: 'number' } }, $ref: 'urn:example:n' }],
  ])('[SEED-227 SEED-228] within the schema: %s', (_, schema) => {
    expect(fits(schema, 5)).toBe(true);
    expect(fits(schema, 'a')).toBe(false);
  });

  test('[SEED-227] the empty reference is the schema itself', () => {
    const tree = { type: 'object', properties: { next: { $ref: '' } }, additionalProperties: false };
    expect(fits(tree, { next: { next: {} } })).toBe(true);
    expect(fits(tree, { next: { next: 5 } })).toBe(false);
  });

  test('what refers to itself ends', () => {
    const tree = { $ref: '#/$defs/t', $defs: { t: { properties: { next: { $ref: '#/$defs/t' } }, type: 'object' } } };
    expect(fits(tree, { next: { next: {} } })).toBe(true);
    expect(fits(tree, { next: { next: 1 } })).toBe(false);
  });
});

describe('values', () => {
  test.each<[unknown[], boolean]>([
    [[{}, []], true],
    [[1, 1.0], false],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[true, 1], true],
    [['1', 1], true],
    [
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    [[null, false], true],
  ])('[SEED-208] unique by JSON equality: %j', (list, unique) => {
    expect(fits({ uniqueItems: true }, list)).toBe(unique);
    expect(fits({ const: list[0] }, list[1])).toBe(!unique);
    expect(fits({ enum: ['other', list[0]] }, list[1])).toBe(!unique);
  });

  test('errors name the place of the value', () => {
    const validate = compile({ properties: { a: { items: { type: 'string' } } }, required: ['b'] });
    expect(validate({ b: 1, a: ['x', 5] })).toMatchObject([{ path: '/a/1', message: 'must be string, not integer' }]);
    expect(validate({})).toEqual([expect.objectContaining({ path: '' })]);
  });

  test('the schema that was given stays as it was, frozen or not', () => {
    const schema = { $defs: { n: Object.freeze({ type: 'number' }) }, $ref: '#/$defs/n' };
    const before = JSON.stringify(schema);
    expect(fits(Object.freeze(schema), 5)).toBe(true);
    expect(JSON.stringify(schema)).toBe(before);
    expect(Reflect.ownKeys(schema)).toEqual(['$defs', '$ref']);
  });

  test('a schema of a peer may be waited for, and has a budget', async () => {
    const validate = await defaultValidator.compile({ $ref: '#', format: 'uri' }, { trusted: false });
    expect(validate.notEvaluated).toEqual(['format']);
    expect(validate({})).toMatchObject([{ path: '', keyword: 'budget' }]);
    const bad = defaultValidator.compile({ type: 'text' }, { trusted: false });
    await expect(bad).rejects.toBeInstanceOf(ArgumentError);
  });

  test('what the author changes later changes nothing', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const validate = compile(schema);
    schema.properties.a.type = 'number';
    expect(validate({ a: 'text' })).toBeUndefined();
  });
});
