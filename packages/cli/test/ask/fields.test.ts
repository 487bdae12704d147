import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../src/ask/fields.ts';

function kindOf(property: unknown) {
  return fieldsOf({ type: 'object', properties: { a: property } })[0]?.kind;
}

describe('fields of a form', () => {
  test.each<[string, unknown, unknown]>([
    ['text', { type: 'string' }, { is: 'text' }],
    [
      'text with bounds',
      { type: 'string', minLength: 1, maxLength: 3, format: 'email' },
      { is: 'text', minLength: 1, maxLength: 3, format: 'email' },
    ],
    ['a number', { type: 'number', minimum: 0.5 }, { is: 'number', whole: false, minimum: 0.5 }],
    ['a whole number', { type: 'integer', maximum: 9 }, { is: 'number', whole: true, maximum: 9 }],
    ['yes or no', { type: 'boolean' }, { is: 'yes-no' }],
    [
      'enum',
      { type: 'string', enum: ['a', 'b'] },
      {
        is: 'one',
        choices: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      'enum with names',
      { type: 'string', enum: ['a', 'b'], enumNames: ['An A'] },
      {
        is: 'one',
        choices: [
          { value: 'a', label: 'An A' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      'oneOf with titles',
      { type: 'string', oneOf: [{ const: 'a', title: 'An A' }] },
      { is: 'one', choices: [{ value: 'a', label: 'An A' }] },
    ],
    [
      'several of an enum',
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a'] } },
      { is: 'some', choices: [{ value: 'a', label: 'a' }], minItems: 1, maxItems: 2 },
    ],
    [
      'several with titles',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'An A' }] } },
      { is: 'some', choices: [{ value: 'a', label: 'An A' }] },
    ],
    ['anything else', { type: 'object' }, { is: 'json' }],
    ['a list of anything', { type: 'array' }, { is: 'json' }],
    ['choices that are no texts', { enum: [1, 2] }, { is: 'json' }],
    ['no schema at all', true, { is: 'json' }],
  ])('%s', (_, property, kind) => {
    expect(kindOf(property)).toEqual(kind);
  });

  test('title, description, whether required, default', () => {
    const [a, b] = fieldsOf({
      type: 'object',
      properties: {
        a: { type: 'string', title: 'Your\nname', description: 'As \x1b[31mwritten', default: 'Ada' },
        b: { type: 'integer', default: 1.5 },
      },
      required: ['a'],
    });
    expect(a).toMatchObject({
      name: 'a',
      label: 'Your name',
      description: String.raw`As \x1b[31mwritten`,
      required: true,
      fallback: 'Ada',
    });
    expect(b).toMatchObject({ label: 'b', required: false, fallback: undefined });
  });

  test.each([undefined, null, [], { properties: [] }, 'x'])('a schema without fields: %j', (schema) => {
    expect(fieldsOf(schema)).toEqual([]);
  });
});

describe('a field that asks for a secret', () => {
  const isSecret = (name: string, property: object = { type: 'string' }) =>
    fieldsOf({ properties: { [name]: property } })[0]?.secret;

  test.each([
    'password',
    'userPassword',
    'api_key',
    'apiKey',
    'API-Key',
    'accessToken',
    'client_secret',
    'passphrase',
    'key',
    'pin',
  ])('%s is one', (name) => {
    expect(isSecret(name)).toBe(true);
  });

  test.each(['name', 'monkey', 'keyboard', 'compass', 'spinning', 'opinion'])('%s is none', (name) => {
    expect(isSecret(name)).toBe(false);
  });

  test('by format, by title, and by nothing but text', () => {
    expect(isSecret('a', { type: 'string', format: 'password' })).toBe(true);
    expect(isSecret('a', { type: 'string', title: 'Your GitHub token' })).toBe(true);
    expect(isSecret('maxTokens', { type: 'integer' })).toBe(false);
    expect(isSecret('pin', { type: 'integer' })).toBe(true);
    expect(isSecret('token', { type: 'boolean' })).toBe(false);
  });
});
