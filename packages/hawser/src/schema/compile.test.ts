// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { compile, compileUntrusted, type CompiledSchema } from './compile.ts';
import type { Patterns } from './patterns.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';
const of2019 = 'https://json-schema.org/draft/2019-09/schema';

function fits(schema: JsonObject, value: unknown): boolean {
  const compiled = compile(schema);
  const { valid } = compiled.validate(value);
  expect(compiled.isValid(value)).toBe(valid);
  return valid;
}

function issues(schema: JsonObject | CompiledSchema, value: unknown, maxIssues = 1) {
  const compiled = 'validate' in schema ? (schema as CompiledSchema) : compile(schema);
  const result = compiled.validate(value, { maxIssues });
  return result.valid ? [] : result.issues;
}

describe('dialects', () => {
  test.each<[string, JsonObject, string]>([
    ['2020-12', {}, '2020-12'],
    ['2019-09', { $schema: of2019 }, '2019-09'],
    ['draft-07', { $schema: draft07 }, 'draft-07'],
    ['draft-06 is read as draft-07', { $schema: 'http://json-schema.org/draft-06/schema#' }, 'draft-07'],
  ])('[SEED-220] %s', (_, named, dialect) => {
    expect(compile(named).dialect).toBe(dialect);
  });

  test('[SEED-220] one text under each dialect', () => {
    const text = { contains: { type: 'string' }, minContains: 2, items: { type: ['string', 'number'] } };
    expect(fits(text, ['a', 1])).toBe(false);
    expect(fits({ $schema: of2019, ...text }, ['a', 1])).toBe(false);
    expect(fits({ $schema: draft07, ...text }, ['a', 1])).toBe(true);
  });

  test('an embedded resource may be of another one', () => {
    const schema = {
      $ref: 'urn:example:old',
      $defs: { old: { $id: 'urn:example:old', $schema: draft07, items: [{ type: 'string' }] } },
    };
    expect(fits(schema, [1])).toBe(false);
    expect(fits(schema, ['a', 1])).toBe(true);
  });

  test('a reference to a meta-schema is answered without fetching', () => {
    const schema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
    expect(fits(schema, { properties: { a: { type: 'string' } } })).toBe(true);
    expect(fits(schema, { properties: { a: { type: 'text' } } })).toBe(false);
    expect(fits(schema, { required: ['a', 'a'] })).toBe(false);
    expect(fits({ $ref: draft07 }, { items: [{ minimum: 'x' }] })).toBe(false);
  });
});

describe('references with dynamic scope', () => {
  const list = {
    $id: 'list',
    type: 'array',
    items: { $dynamicRef: '#item' },
    $defs: { item: { $dynamicAnchor: 'item' } },
  };

  test('[SEED-213] without a dynamic anchor it is a plain reference', () => {
    const schema = { items: { $dynamicRef: '#x' }, $defs: { a: { $anchor: 'x', type: 'string' } } };
    expect(fits(schema, ['a'])).toBe(true);
    expect(fits(schema, [1])).toBe(false);
  });

  test('[SEED-213] the outermost resource that was entered decides', () => {
    const schema = {
      $id: 'http://e.test/',
      $ref: 'list',
      $defs: { list, item: { $dynamicAnchor: 'item', type: 'string' } },
    };
    expect(fits(schema, ['a'])).toBe(true);
    expect(fits(schema, [1])).toBe(false);
    expect(issues(schema, [1])[0]).toMatchObject({ path: '/0', schemaPath: '/$ref/items/$dynamicRef/type' });
  });

  test('[SEED-213] a resource that was never entered decides nothing', () => {
    const never = { $id: 'never', $defs: { item: { $dynamicAnchor: 'item', type: 'string' } } };
    expect(fits({ $id: 'http://e.test/', $ref: 'list', $defs: { never, list } }, [1])).toBe(true);
    // Entered, and left again.
    const left = { ...never, $defs: { ...never.$defs, all: true } };
    const schema = {
      $id: 'http://e.test/',
      allOf: [{ $ref: 'left#/$defs/all' }, { $ref: 'list' }],
      $defs: { left: { ...left, $id: 'left' }, list },
    };
    expect(fits(schema, [1])).toBe(true);
  });

  test('[SEED-213] $recursiveRef of 2019-09', () => {
    const tree = { $id: 'tree', $recursiveAnchor: true, type: 'object', properties: { next: { $recursiveRef: '#' } } };
    const strict = {
      $schema: of2019,
      $id: 'http://e.test/strict',
      $recursiveAnchor: true,
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree },
    };
    expect(fits(strict, { next: { next: {} } })).toBe(true);
    expect(fits(strict, { next: { nxet: {} } })).toBe(false);
    expect(fits({ ...strict, $recursiveAnchor: false }, { next: { nxet: {} } })).toBe(true);
  });
});

describe('unevaluated', () => {
  test('[SEED-212] nothing comes from a cousin, nor from what failed', () => {
    expect(fits({ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, { a: 1 })).toBe(false);
    const choice = { anyOf: [{ properties: { a: true, b: { type: 'string' } } }, true], unevaluatedProperties: false };
    expect(fits(choice, { a: 1, b: 'x' })).toBe(true);
    expect(fits(choice, { a: 1, b: 1 })).toBe(false);
    expect(fits({ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 })).toBe(false);
  });

  test('[SEED-212] what a branch has looked at before it failed does not count', () => {
    const branches = { anyOf: [{ properties: { a: true, b: { type: 'string' } } }, { properties: { b: true } }] };
    expect(fits({ ...branches, unevaluatedProperties: false }, { a: 1, b: 'x' })).toBe(true);
    expect(fits({ ...branches, unevaluatedProperties: false }, { a: 1, b: 1 })).toBe(false);
    const failing = { properties: { a: true }, anyOf: [{ required: ['z'], unevaluatedProperties: false }, true] };
    expect(fits({ ...failing, unevaluatedProperties: false }, { a: 1 })).toBe(true);
  });

  test('[SEED-212] neither does what a choice has looked at that must not match', () => {
    const choices = {
      oneOf: [
        { format: 'x', properties: { a: true } },
        { properties: { b: true }, required: ['b'] },
      ],
    };
    expect(fits({ ...choices, unevaluatedProperties: false }, { a: 1 })).toBe(true);
    expect(fits({ ...choices, unevaluatedProperties: false }, { a: 1, c: 1 })).toBe(false);
  });

  test('[SEED-212] one value does not count for another', () => {
    const inner = { properties: { x: true }, unevaluatedProperties: false };
    expect(fits({ properties: { a: inner }, unevaluatedProperties: false }, { a: { x: 1 } })).toBe(true);
    expect(fits({ properties: { a: inner }, unevaluatedProperties: false }, { a: { x: 1 }, x: 1 })).toBe(false);
    const outer = { properties: { y: true, a: inner }, unevaluatedProperties: false };
    expect(fits(outer, { y: 1, a: { x: 1 } })).toBe(true);
    expect(fits(outer, { y: 1, a: { y: 1 } })).toBe(false);
  });

  test('[SEED-212] entries', () => {
    const schema = { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: { type: 'number' } };
    expect(fits(schema, [null, 'a', 1])).toBe(true);
    expect(fits(schema, [null, 'a', null])).toBe(false);
    expect(fits({ $schema: of2019, contains: { type: 'string' }, unevaluatedItems: false }, ['a'])).toBe(false);
  });

  test('[SEED-212] through references, conditions and dependencies', () => {
    const schema = {
      $ref: '#/$defs/a',
      if: { properties: { kind: { const: 'b' } }, required: ['kind'] },
      then: { properties: { b: true } },
      dependentSchemas: { c: { properties: { c: true, d: true } } },
      unevaluatedProperties: false,
      $defs: { a: { properties: { a: true } } },
    };
    expect(fits(schema, { a: 1 })).toBe(true);
    expect(fits(schema, { a: 1, kind: 'b', b: 1 })).toBe(true);
    expect(fits(schema, { b: 1 })).toBe(false);
    expect(fits(schema, { c: 1, d: 1 })).toBe(true);
    expect(fits(schema, { d: 1 })).toBe(false);
  });
});

describe('names of Object.prototype are ordinary', () => {
  const own = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as unknown;

  test('in properties and required', () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "number"}, "constructor": {"type": "number"}}, "required": ["__proto__", "toString"]}',
    ) as JsonObject;
    expect(fits(schema, own)).toBe(true);
    expect(fits(schema, {})).toBe(false);
    expect(fits({ properties: { constructor: { type: 'string' } } }, own)).toBe(false);
    expect(fits({ properties: { toString: { type: 'string' }, valueOf: false } }, {})).toBe(true);
    expect(fits({ dependentRequired: { constructor: ['x'] } }, {})).toBe(true);
  });

  test('where other names stand beside them, of objects of every kind', () => {
    const schema = { properties: { toString: { type: 'string' }, a: { type: 'number' } }, required: ['a'] };
    const dependent = { dependentRequired: { constructor: ['valueOf'] } };
    for (const made of [{}, Object.create(null), Object.create({ a: 'inherited' })] as JsonObject[]) {
      expect(fits(schema, made)).toBe(false);
      expect(fits(schema, Object.assign(made, { a: 1 }))).toBe(true);
      expect(fits(dependent, made)).toBe(true);
      expect(fits(dependent, Object.assign(made, { constructor: 1 }))).toBe(false);
      expect(fits(schema, Object.assign(made, { toString: 1 }))).toBe(false);
    }
  });

  test('in all that goes through members', () => {
    expect(fits({ properties: { toString: true }, additionalProperties: false }, own)).toBe(false);
    expect(fits({ maxProperties: 2 }, own)).toBe(false);
    expect(fits({ unevaluatedProperties: false }, own)).toBe(false);
    expect(fits({ const: own }, JSON.parse('{"constructor": 2, "toString": 3}'))).toBe(false);
  });

  test('what is inherited is no member', () => {
    class Row {
      id = 1;
      get name(): string {
        return 'x';
      }
    }
    expect(fits({ required: ['name'] }, new Row())).toBe(false);
    expect(fits({ properties: { name: false, id: { type: 'number' } } }, new Row())).toBe(true);
  });

  test('what is undefined is no member: JSON does not carry it', () => {
    const value = { a: undefined, b: 1 };
    expect(fits({ required: ['a'] }, value)).toBe(false);
    expect(fits({ properties: { a: { type: 'string' }, b: true }, additionalProperties: false }, value)).toBe(true);
    expect(fits({ properties: { b: true }, additionalProperties: false, maxProperties: 1 }, value)).toBe(true);
    expect(fits({ properties: { b: true }, unevaluatedProperties: false }, value)).toBe(true);
    expect(fits({ const: { b: 1 } }, value)).toBe(true);
  });
});

describe('keywords that are not evaluated', () => {
  test('[SEED-214] they are named', () => {
    expect(compile({ properties: { a: { format: 'email' } } }).notEvaluated).toEqual(['format']);
    expect(compile({ contentSchema: {}, format: 'uri' }).notEvaluated).toEqual(['contentSchema', 'format']);
    expect(compile({ properties: { format: { type: 'string' } } }).notEvaluated).toEqual([]);
  });

  const email = { format: 'email' };

  test.each<[string, JsonObject, unknown, boolean]>([
    ['not', { not: email }, 'x', true],
    ['not of what does not fit for sure', { not: { ...email, type: 'number' } }, 'x', true],
    ['not of what fits for sure', { not: { ...email, type: 'number' } }, 5, false],
    ['not not', { not: { not: email } }, 'x', true],
    ['oneOf', { oneOf: [email, { type: 'string' }] }, 'x', true],
    ['oneOf with two sure matches', { oneOf: [email, { type: 'string' }, { minLength: 1 }] }, 'x', false],
    ['oneOf, none', { oneOf: [{ ...email, type: 'number' }, { type: 'number' }] }, 'x', false],
    ['if', { if: email, then: { const: 'a' }, else: { const: 'b' } }, 'a', true],
    ['if, the other branch', { if: email, then: { const: 'a' }, else: { const: 'b' } }, 'b', true],
    ['if, neither branch', { if: email, then: { const: 'a' }, else: { const: 'b' } }, 'c', false],
    ['if that is sure', { if: email, then: { const: 5 }, else: true }, 6, false],
    ['contains', { contains: email, maxContains: 0, minContains: 0 }, ['x'], true],
    ['contains, enough', { contains: email }, ['x'], true],
    ['not of oneOf', { not: { oneOf: [email, { type: 'string' }] } }, 'x', true],
    ['by reference', { $defs: { e: email }, not: { $ref: '#/$defs/e' } }, 'x', true],
    ['contentSchema', { not: { contentSchema: false } }, 'x', true],
    ['a number is no matter of format', { not: email }, 5, false],
  ])('[SEED-214] never a match, never a mismatch: %s', (_, schema, value, valid) => {
    expect(fits(schema, value)).toBe(valid);
  });

  test('asserted, format counts', async () => {
    const schema = await compile({ not: email }, { assertFormats: true });
    expect(schema.notEvaluated).toEqual([]);
    expect([schema.isValid('x'), schema.isValid('a@b.test')]).toEqual([true, false]);
    const unknown = await compile({ format: 'color' }, { assertFormats: true });
    expect([unknown.isValid('x'), unknown.notEvaluated]).toEqual([true, ['format']]);
    const old = await compile({ $schema: draft07, format: 'uuid' }, { assertFormats: true });
    expect([old.isValid('x'), old.notEvaluated]).toEqual([true, ['format']]);
  });
});

describe('numbers and texts', () => {
  test.each<[JsonObject, unknown, boolean]>([
    [{ multipleOf: 0.01 }, 19.99, true],
    [{ multipleOf: 0.01 }, 4.35, true],
    [{ multipleOf: 0.01 }, 4.351, false],
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ multipleOf: 1e-8 }, 12391239123, true],
    [{ multipleOf: 0.123456789 }, 1e308, false],
    [{ multipleOf: 0.5 }, 1e308, true],
    [{ multipleOf: 3 }, 2 ** 53 + 4, true],
    [{ multipleOf: 3 }, 2 ** 53, false],
    [{ multipleOf: 7 }, -21, true],
    [{ type: 'integer' }, 1e300, true],
    [{ type: 'integer' }, 1.0, true],
    [{ type: 'integer' }, 1.5, false],
    [{ minLength: 2 }, '\u{1F600}', false],
    [{ minLength: 2 }, '\u{1F600}a', true],
    [{ maxLength: 1 }, '\u{1F600}', true],
    [{ maxLength: 1 }, '\ud83d\ud83d', false],
    [{ const: 0 }, -0, true],
    [{ uniqueItems: true }, [0, -0], false],
    [{ uniqueItems: true }, [[0], [-0]], false],
    [{ uniqueItems: true }, ['{"a":1}', { a: 1 }], true],
  ])('%j, %j: %s', (schema, value, valid) => {
    expect(fits(schema, value)).toBe(valid);
  });
});

test('types are told apart', () => {
  expect(fits({ type: 'object', minProperties: 0 }, [])).toBe(false);
  expect(fits({ type: 'object', minProperties: 0 }, null)).toBe(false);
  expect(fits({ type: 'array', minItems: 0 }, {})).toBe(false);
  expect(fits({ type: ['array', 'object'], minItems: 1, minProperties: 1 }, [1])).toBe(true);
  expect(fits({ type: ['array', 'object'], minItems: 1, minProperties: 1 }, {})).toBe(false);
});

describe('issues', () => {
  const schema = {
    type: 'object',
    properties: { 'a/b': { type: 'array', items: { $ref: '#/$defs/n' } }, c: { enum: ['x', 'y'] } },
    required: ['c', 'd'],
    additionalProperties: false,
    $defs: { n: { minimum: 5 } },
  };

  test('of lists with entries that are not set: JSON would have null there', () => {
    const sparse = (): unknown[] => {
      const list: unknown[] = [1];
      list[2] = 2;
      return list;
    };
    expect(issues({ items: { type: 'number' } }, sparse())).toMatchObject([{ path: '/1' }]);
    expect(issues({ prefixItems: [true, { type: 'number' }] }, sparse())).toMatchObject([{ path: '/1' }]);
    expect(issues({ unevaluatedItems: { type: 'number' } }, sparse())).toMatchObject([{ path: '/1' }]);
    expect(issues({ contains: { type: 'string' } }, sparse())).toMatchObject([{ keyword: 'contains' }]);
    expect(issues({ uniqueItems: true }, [sparse(), sparse()])).toMatchObject([{ keyword: 'uniqueItems' }]);
    expect(issues({ const: [1, 2] }, sparse())).toMatchObject([{ keyword: 'const' }]);
  });

  test('the first one, unless more are asked for', () => {
    const value = { 'a/b': [5, 1, 2], c: 'z', e: 1 };
    expect(issues(schema, value)).toEqual([
      {
        path: '/a~1b/1',
        schemaPath: '/properties/a~1b/items/$ref/minimum',
        keyword: 'minimum',
        message: 'must be at least 5',
      },
    ]);
    expect(issues(schema, value, 100).map(({ path, keyword, message }) => [path, keyword, message])).toEqual([
      ['/a~1b/1', 'minimum', 'must be at least 5'],
      ['/a~1b/2', 'minimum', 'must be at least 5'],
      ['/c', 'enum', 'must be "x" or "y"'],
      ['', 'required', 'must have "d"'],
      ['/e', 'additionalProperties', 'must not be there: "e" is not described'],
    ]);
    expect(issues(schema, value, 2)).toHaveLength(2);
  });

  test.each<[JsonObject, unknown, string]>([
    [{ type: ['string', 'null'] }, 5, 'must be string or null, not integer'],
    [{ minItems: 2 }, [1], 'must have at least 2 entries, not 1'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 member, not 2'],
    [{ contains: { type: 'string' } }, [1], 'must have at least 1 entry that fits contains'],
    [{ uniqueItems: true }, [1, 2, 1], 'must have no equal entries: entry 2 is there before'],
    [{ pattern: '^a$' }, 'b', 'must match the pattern "^a$"'],
    [{ not: {} }, 5, 'must not fit the schema of not'],
    [{ oneOf: [true, true] }, 5, 'must fit exactly one of the 2 schemas of oneOf, but fits more'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have "b" because it has "a"'],
    [{ properties: { a: false } }, { a: 1 }, 'must not be there'],
    [
      { anyOf: [{ type: 'string' }, { properties: { a: { type: 'number' } } }] },
      { a: 'x' },
      'must fit one of the 2 schemas of anyOf: (1) must be string, not object; (2) /a must be number, not string',
    ],
  ])('%j says %j: %s', (one, value, message) => {
    expect(issues(one, value)[0]?.message).toContain(message);
  });

  test('the keyword is the one that failed, whatever the members are called', () => {
    const schema = {
      properties: { secret: false, budget: { not: {} } },
      patternProperties: { '^a/b': false },
      dependentSchemas: { d: false },
    };
    const value = { secret: 1, budget: 1, 'a/b': 1, d: 1 };
    expect(issues(schema, value, 9).map(({ keyword, path }) => [keyword, path])).toEqual([
      ['properties', '/secret'],
      ['not', '/budget'],
      ['patternProperties', '/a~1b'],
      ['false', ''],
    ]);
    expect(issues({ prefixItems: [true, false] }, [1, 2])).toMatchObject([{ keyword: 'prefixItems', path: '/1' }]);
  });

  test('a message does not grow with the names of a peer', () => {
    const name = 'n'.repeat(100_000);
    const schema = { anyOf: [{ additionalProperties: { type: 'string' } }, { type: 'number' }] };
    const [issue] = issues(schema, { [name]: 1 });
    expect(issue?.message).toContain('must be string, not integer');
    expect(issue?.message.length).toBeLessThan(500);
  });

  test('alternatives within alternatives are not told one by one', () => {
    const inner = { anyOf: [{ type: 'string' }, { type: 'number' }] };
    expect(issues({ anyOf: [inner, inner] }, null)).toMatchObject([
      {
        message:
          'must fit one of the 2 schemas of anyOf: (1) must fit at least one of the 2 schemas of anyOf; (2) must fit at least one of the 2 schemas of anyOf',
      },
    ]);
  });

  test('what is unevaluated is told only where all else fits', () => {
    const closed = { properties: { a: { type: 'string' } }, unevaluatedProperties: false };
    expect(issues(closed, { a: 5, b: 1 }, 10).map(({ keyword }) => keyword)).toEqual(['type']);
    expect(issues(closed, { a: 'x', b: 1 }, 10)).toMatchObject([{ path: '/b', keyword: 'unevaluatedProperties' }]);
  });

  test('a condition is told by its branch', () => {
    const conditional = { if: { type: 'string' }, then: { minLength: 3 }, else: { type: 'number' } };
    expect(issues(conditional, 'a')[0]).toMatchObject({ schemaPath: '/then/minLength', keyword: 'minLength' });
    expect(issues(conditional, null)[0]).toMatchObject({ schemaPath: '/else/type', keyword: 'type' });
  });
});

describe('untrusted', () => {
  const none: Patterns = {
    compile(source) {
      if (source !== 'a') throw new Error('it is not understood');
      return { test: (text) => text.includes('a'), stepsPerCharacter: 10 };
    },
  };

  test('patterns go through the engine that is given', async () => {
    const schema = await compileUntrusted({ pattern: 'a', patternProperties: { a: false } }, { patterns: none });
    expect([schema.isValid('cab'), schema.isValid('c'), schema.isValid({ bat: 1 }), schema.isValid({ b: 1 })]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('[SEED-210] a pattern it cannot use makes the schema unusable', async () => {
    await expect(compileUntrusted({ items: { pattern: 'b' } }, { patterns: none })).rejects.toMatchObject({
      code: 'pattern',
      path: '/items/pattern',
      message: expect.stringContaining('it is not understood') as unknown,
    });
  });

  test('the schema is taken as it was when it was given', async () => {
    const schema = { type: 'string' };
    const compiling = compileUntrusted(schema);
    schema.type = 'number';
    expect((await compiling).isValid('a')).toBe(true);
  });
});
