import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ArgumentError } from '../base/errors.ts';
import { checkerFor } from './checker.ts';
import type { AnySchema, StandardSchema } from './standard.ts';
import { defaultValidator } from './validator.ts';

const made = (schema: unknown, what?: string) => () => checkerFor(schema as AnySchema, 'input', defaultValidator, what);

/** A library whose schemas have their members under `entries`, and cannot show all of them. */
function tiny(shows: boolean, entries?: Record<string, StandardSchema>): StandardSchema {
  const show = (): Record<string, unknown> => {
    if (!shows) throw new Error('no');
    return { type: 'object' };
  };
  const standard = { version: 1, vendor: 'tiny', validate: (value: unknown) => ({ value }) } as const;
  return { '~standard': { ...standard, jsonSchema: { input: show, output: show } }, ...(entries && { entries }) };
}

describe('in place of a schema', () => {
  test.each<[string, unknown, RegExp]>([
    ['members of zod', { a: z.string() }, /^these are members, no schema \("a" is .* of zod\): wrap it in z\.object\(/],
    ['a member of the name of a keyword', { type: z.string() }, /wrap it in z\.object\(/],
    ['members of another library', { a: tiny(true) }, /wrap it in an object schema of tiny$/],
    [
      'members within a JSON Schema',
      { type: 'object', properties: { a: z.string() } },
      /^"a" is a schema of zod within/,
    ],
    ['text', 'string', /: it is no object, nor a Standard Schema$/],
  ])('%s', (_, schema, message) => {
    expect(made(schema)).toThrow(ArgumentError);
    expect(made(schema)).toThrow(message);
  });

  test('what is meant is said before it', () => {
    expect(made({ a: z.string() }, 'tool "x": input')).toThrow(/^tool "x": input: these are members/);
    expect(made({ type: 'none' }, 'tool "x": input')).toThrow(
      /^tool "x": input: the JSON Schema cannot be used: \/type/,
    );
    expect(made(z.date(), 'tool "x": input')).toThrow(/^tool "x": input: a schema of zod cannot be shown/);
  });

  test('a schema as it should be passes', () => {
    for (const schema of [z.object({ a: z.string() }), { type: 'object', properties: { a: { type: 'string' } } }, {}])
      expect(made(schema)).not.toThrow();
  });
});

describe('the member that JSON Schema cannot show', () => {
  test.each<[string, unknown, string]>([
    ['one', z.object({ a: z.string(), when: z.date() }), '(at "when")'],
    ['one further down', z.object({ a: z.object({ b: z.object({ n: z.bigint() }) }) }), '(at "a.b.n")'],
    ['one in a list', z.object({ days: z.array(z.date()) }), '(at "days")'],
    ['one of another library', tiny(false, { good: tiny(true), bad: tiny(false) }), '(at "bad")'],
  ])('is named: %s', (_, schema, place) => {
    expect(made(schema)).toThrow(place);
  });

  test('and the library says why', () => {
    expect(made(z.object({ when: z.date() }))).toThrow(
      /shown as JSON Schema: Date cannot be represented in JSON Schema/,
    );
    expect(made(tiny(false))).toThrow(/shown as JSON Schema: no$/);
  });
});
