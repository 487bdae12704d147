import { describe, expect, test } from 'vitest';
import { problemOf, readTyped, shownValue, wanted } from '../../src/ask/check.ts';
import { fieldsOf } from '../../src/ask/fields.ts';
import type { Field } from '../../src/ask/fields.ts';

function field(property: object, required = true): Field {
  const [found] = fieldsOf({ properties: { a: property }, required: required ? ['a'] : [] });
  if (found === undefined) throw new Error('no field');
  return found;
}

describe('what is typed into a field', () => {
  test.each<[object, string, unknown]>([
    [{ type: 'string' }, 'x', 'x'],
    [{ type: 'string', minLength: 2, maxLength: 2 }, 'éé', 'éé'],
    [{ type: 'string', maxLength: 1 }, '🎉', '🎉'],
    [{ type: 'number' }, ' 1.5e3 ', 1500],
    [{ type: 'number' }, '.5', 0.5],
    [{ type: 'integer', minimum: 1, maximum: 3 }, '3', 3],
    [{ type: 'integer', minimum: 1, maximum: 3 }, '1', 1],
    [{ type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
    [{ type: 'string', format: 'uri' }, 'urn:x:1', 'urn:x:1'],
    [{ type: 'string', format: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T23:59:60+02:00', '2026-01-31T23:59:60+02:00'],
    [{ type: 'string', format: 'unheard-of' }, 'x', 'x'],
    [{ type: 'object' }, '{"b": 1}', { b: 1 }],
  ])('%j takes %j', (property, typed, value) => {
    expect(readTyped(field(property), typed)).toEqual({ value });
  });

  test.each<[object, string, RegExp]>([
    [{ type: 'string', minLength: 2 }, 'x', /at least 2 characters/],
    [{ type: 'string', maxLength: 2 }, 'xyz', /at most 2 characters/],
    [{ type: 'number' }, '1,5', /write a number/],
    [{ type: 'number' }, '0x10', /write a number/],
    [{ type: 'number' }, '1e999', /a number/],
    [{ type: 'integer' }, '1.5', /whole number/],
    [{ type: 'integer' }, '9007199254740993', /whole number/],
    [{ type: 'integer', minimum: 1 }, '0', /at least 1/],
    [{ type: 'integer', maximum: 3 }, '4', /at most 3/],
    [{ type: 'string', format: 'email' }, 'ada', /e-mail address, like ada@example.com/],
    [{ type: 'string', format: 'email' }, 'a@b@c', /e-mail/],
    [{ type: 'string', format: 'uri' }, 'example.com', /an address/],
    [{ type: 'string', format: 'date' }, '2025-02-29', /a date/],
    [{ type: 'string', format: 'date' }, '1.2.2026', /a date/],
    [{ type: 'string', format: 'date-time' }, '2026-01-31', /date and time/],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T24:00:00Z', /date and time/],
    [{ type: 'object' }, '{', /write JSON/],
    [{ type: 'string' }, '', /has to be filled in/],
  ])('%j does not take %j', (property, typed, wrong) => {
    expect(readTyped(field(property), typed)).toEqual({ wrong: expect.stringMatching(wrong) as string });
  });

  test('nothing leaves an optional field out', () => {
    expect(readTyped(field({ type: 'integer' }, false), '')).toEqual({ left: true });
  });

  test('nothing is an answer where it is the default', () => {
    expect(readTyped(field({ type: 'string', default: '' }), '')).toEqual({ value: '' });
  });
});

describe('values that come from elsewhere', () => {
  const some = field({
    type: 'array',
    minItems: 1,
    maxItems: 2,
    items: { type: 'string', enum: ['a', 'b', 'c'] },
  }).kind;

  test.each<[unknown, RegExp | undefined]>([
    [['a', 'b'], undefined],
    [[], /at least 1 choice/],
    [['a', 'b', 'c'], /at most 2 choices/],
    [['x'], /takes only "a", "b", "c"/],
    ['a', /wants a list/],
  ])('several of: %j', (value, problem) => {
    if (problem === undefined) expect(problemOf(some, value)).toBeUndefined();
    else expect(problemOf(some, value)).toMatch(problem);
  });

  test('one of, yes or no, text, number', () => {
    expect(problemOf(field({ enum: ['a'] }).kind, 'a')).toBeUndefined();
    expect(problemOf(field({ enum: ['a'] }).kind, 'b')).toBe('is one of "a"');
    expect(problemOf(field({ type: 'boolean' }).kind, 'true')).toBe('wants true or false');
    expect(problemOf(field({ type: 'string' }).kind, 1)).toBe('wants text');
    expect(problemOf(field({ type: 'integer' }).kind, '1')).toBe('wants a whole number');
  });
});

test.each<[object, string]>([
  [{ type: 'integer', minimum: 1, maximum: 3 }, 'a whole number, 1 to 3'],
  [{ type: 'number', minimum: 1 }, 'a number, at least 1'],
  [{ type: 'string', maxLength: 5 }, 'text, at most 5 characters'],
  [{ type: 'string', format: 'date' }, 'a date'],
  [{ enum: ['a', 'b'] }, 'one of "a", "b"'],
  [{ type: 'array', minItems: 1, items: { enum: ['a'] } }, 'some at least 1 of "a"'],
])('%j in words', (property, words) => {
  expect(wanted(field(property).kind)).toBe(words);
});

test.each<[object, unknown, string]>([
  [{ type: 'string' }, 'a\x1b[31m', String.raw`a\x1b[31m`],
  [{ type: 'boolean' }, false, 'no'],
  [{ oneOf: [{ const: 'a', title: 'An A' }] }, 'a', 'An A'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'b'], 'a, b'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, [], '(none)'],
  [{ type: 'object' }, { a: 1 }, '{"a":1}'],
  [{ type: 'string', format: 'password' }, 'hunter2', '[hidden]'],
  [{ type: 'string' }, undefined, '(left out)'],
])('%j shows %j', (property, value, shown) => {
  expect(shownValue(field(property), value)).toBe(shown);
});
