import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { formOf } from './form.ts';

const one = (property: JsonObject) => formOf({ type: 'object', properties: { it: property } });
const choices = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

describe('defaults', () => {
  test.each<[JsonObject, unknown[], unknown[]]>([
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '😀😀😀'], ['a', 'abcd', 5, null, true]],
    [{ type: 'string' }, ['', 'x'], [0, []]],
    [{ type: 'number', minimum: 1, maximum: 2 }, [1, 1.5, 2], [0.9, 2.1, '1']],
    [{ type: 'integer', exclusiveMinimum: 1 }, [2, 3], [1, 1.5, '2']],
    [{ type: 'boolean' }, [true, false], ['true', 0, null]],
    [{ enum: ['r', 'g'] }, ['r', 'g'], ['b', 1]],
    [{ enum: ['r', 'g'], enumNames: ['Red', 'Green'] }, ['r'], ['Red']],
    [{ oneOf: choices }, ['g'], ['Green', 'b']],
    [{ type: 'array', items: { enum: ['r', 'g'] }, minItems: 1 }, [['r'], ['r', 'g']], [[], ['b'], 'r', ['r', 5]]],
    [{ type: 'array', items: { anyOf: choices }, maxItems: 1 }, [[], ['g']], [['r', 'g'], ['Green']]],
  ])('of %j', (property, fitting, others) => {
    for (const value of fitting) expect(one({ ...property, default: value }).defaults).toEqual({ it: value });
    for (const value of others) {
      const making = () => one({ ...property, default: value });
      expect(making, JSON.stringify(value)).toThrow(ArgumentError);
      expect(making).toThrow('a form cannot ask for "it": its default does not fit');
    }
  });
});

test('what is required has to be asked for', () => {
  const making = () => formOf({ type: 'object', properties: { it: { type: 'string' } }, required: ['it', 'ghost'] });
  expect(making).toThrow(ArgumentError);
  expect(making).toThrow('a form requires "ghost"');
});

test('choices titled in the older way stay so, all of them with a name', () => {
  expect(one({ enum: ['r', 'g', 'b'], enumNames: ['Red', 'Green'] }).schema.properties).toEqual({
    it: { type: 'string', enum: ['r', 'g', 'b'], enumNames: ['Red', 'Green', 'b'] },
  });
  expect(one({ type: 'array', items: { enum: ['r', 'g'], enumNames: ['Red', 'Green'] } }).schema.properties).toEqual({
    it: { type: 'array', items: { anyOf: choices } },
  });
});

describe('secrets', () => {
  const secretsOf = (properties: JsonObject): readonly string[] => formOf({ type: 'object', properties }).secrets;

  test.each([
    'password',
    'user_password',
    'passphrase',
    'apiKey',
    'access_token',
    'token',
    'pin',
    'userPin',
    'pinCode',
  ])('%s is one', (name) => expect(secretsOf({ [name]: { type: 'string' } })).toEqual([name]));

  test('by its title, and a PIN also as a number', () => {
    expect(secretsOf({ a: { type: 'string', title: 'Your PIN' }, pin: { type: 'integer' } })).toEqual(['a', 'pin']);
  });

  test.each(['spinner', 'shippingPin', 'mapPin', 'tokens', 'compass', 'opinion', 'shipping'])('%s is none', (name) =>
    expect(secretsOf({ [name]: { type: 'string' } })).toEqual([]),
  );

  test.each(['maxTokens', 'token', 'secretSantaBudget'])('a number is none: %s', (name) =>
    expect(secretsOf({ [name]: { type: 'integer' } })).toEqual([]),
  );
});
