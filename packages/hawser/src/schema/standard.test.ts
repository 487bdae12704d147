import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { checkerFor, explain, isObjectSchema } from './checker.ts';
import { isStandardSchema, pointer, type AnySchema, type StandardSchema } from './standard.ts';
import { defaultValidator } from './validator.ts';

const checker = (schema: AnySchema, side: 'input' | 'output' = 'input') => checkerFor(schema, side, defaultValidator);

/** The smallest library: a schema of a text, shouted. */
function shouted(over: Partial<StandardSchema<string>['~standard']> = {}): StandardSchema<string> {
  return {
    '~standard': {
      version: 1,
      vendor: 'tiny',
      validate: (value) =>
        typeof value === 'string' ? { value: value.toUpperCase() } : { issues: [{ message: 'no text' }] },
      jsonSchema: { input: () => ({ type: 'string' }), output: () => ({ type: 'string', pattern: '^[A-Z]*$' }) },
      ...over,
    },
  };
}

describe('a Standard Schema', () => {
  test('gives what its library makes of a value', () => {
    expect(checker(shouted()).check('a')).toEqual({ value: 'A' });
    expect(checker(shouted()).check(5)).toEqual({ errors: [{ path: '', message: 'no text' }] });
  });

  test('may take its time', async () => {
    const { validate } = shouted()['~standard'];
    const slow = checker(shouted({ validate: async (value) => validate(value) }));
    await expect(slow.check('a')).resolves.toEqual({ value: 'A' });
    await expect(slow.check(5)).resolves.toEqual({ errors: [{ path: '', message: 'no text' }] });
  });

  test('may be callable', () => {
    const callable = Object.assign(() => 'called', shouted());
    expect(isStandardSchema(callable)).toBe(true);
    expect(checker(callable).check('a')).toEqual({ value: 'A' });
  });

  test('is shown as what it takes, or as what it gives', () => {
    expect(checker(shouted(), 'input').jsonSchema).toEqual({ type: 'string' });
    expect(checker(shouted(), 'output').jsonSchema).toEqual({ type: 'string', pattern: '^[A-Z]*$' });
  });

  test('is asked for 2020-12', () => {
    const asked: unknown[] = [];
    const input = (options: unknown): JsonObject => {
      asked.push(options);
      return { type: 'string' };
    };
    checker(shouted({ jsonSchema: { input, output: input } }));
    expect(asked).toEqual([{ target: 'draft-2020-12' }]);
  });

  test('without JSON Schema it cannot be shown, and is refused by the name of its library', () => {
    expect(() => checker(shouted({ jsonSchema: undefined }))).toThrow(/a schema of tiny cannot be shown/);
    expect(() => checker(shouted({ jsonSchema: undefined }))).toThrow(ArgumentError);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('cannot');
      },
    ],
    ['gives nothing', () => undefined],
    ['gives text', () => 'schema'],
    ['gives a list', () => []],
    [
      'gives a cycle',
      () => {
        const schema: JsonObject = {};
        schema['self'] = schema;
        return schema;
      },
    ],
  ])('whose JSON Schema %s is refused', (_, input) => {
    const broken = shouted({ jsonSchema: { input: input as () => JsonObject, output: () => ({}) } });
    expect(() => checker(broken)).toThrow(ArgumentError);
  });

  test.each([
    [undefined, ''],
    [[], ''],
    [['a', 0, 'b'], '/a/0/b'],
    [[{ key: 'a' }, { key: 1 }], '/a/1'],
    [['a/b', 'c~d'], '/a~1b/c~0d'],
    [[Symbol('s')], '/Symbol(s)'],
  ])('places become pointers: %j', (path, expected) => {
    expect(pointer(path)).toBe(expected);
  });
});

describe('zod', () => {
  const schema = z.object({ city: z.string(), days: z.number().int().default(3) });

  test('takes, fills in and leaves out', () => {
    expect(checker(schema).check({ city: 'Oslo', more: 1 })).toEqual({ value: { city: 'Oslo', days: 3 } });
    expect(checker(schema).check({ city: 5 })).toMatchObject({ errors: [{ path: '/city' }] });
  });

  test('[JS-001] its JSON Schema is of 2020-12', () => {
    expect(checker(schema).jsonSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['city'],
    });
    expect(checker(schema, 'output').jsonSchema).toMatchObject({ required: ['city', 'days'] });
  });

  test('with what JSON Schema cannot say it is refused', () => {
    expect(() => checker(z.object({ when: z.date() }))).toThrow(/a schema of zod cannot be shown/);
    expect(() => checker(z.object({ a: z.string().transform(Number) }), 'output')).toThrow(ArgumentError);
    expect(checker(z.object({ a: z.string().transform(Number) })).check({ a: '5' })).toEqual({ value: { a: 5 } });
  });
});

describe('a plain JSON Schema', () => {
  test('is checked and shown as it is, as it was', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, 'x-own': [undefined, 1] };
    const made = checker(schema);
    schema.properties.a.type = 'number';
    expect(made.jsonSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } }, 'x-own': [null, 1] });
    expect(made.check({ a: 'text' })).toEqual({ value: { a: 'text' } });
    expect(made.check({ a: 5 })).toMatchObject({ errors: [{ path: '/a' }] });
  });

  test.each([null, undefined, 5, 'object', true, [], () => ({})])('%s is none', (schema) => {
    expect(() => checker(schema as unknown as AnySchema)).toThrow(ArgumentError);
  });

  test('what JSON cannot say is refused', () => {
    const cycle: JsonObject = { type: 'object' };
    cycle['properties'] = { self: cycle };
    expect(() => checker(cycle)).toThrow(ArgumentError);
    expect(() => checker({ const: 5n })).toThrow(ArgumentError);
  });

  test.each<[JsonObject, boolean]>([
    [{ type: 'object' }, true],
    [{}, false],
    [{ type: 'string' }, false],
    [{ type: ['object'] }, false],
  ])('an object schema? %j', (schema, expected) => {
    expect(isObjectSchema(schema)).toBe(expected);
  });
});

describe('errors in words', () => {
  test('each with its place, twenty at most', () => {
    expect(
      explain([
        { path: '', message: 'a' },
        { path: '/b/0', message: 'c' },
      ]),
    ).toBe('a; /b/0: c');
    const many = Array.from({ length: 30 }, (_, index) => ({ path: `/${index}`, message: 'm' }));
    expect(explain(many).split('; ')).toHaveLength(20);
    expect(explain([{ path: `/${'n'.repeat(100_000)}`, message: 'm' }]).length).toBeLessThan(300);
  });
});
