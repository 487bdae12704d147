import { describe, expect, test } from 'vitest';
import { Form } from './form.ts';
import { fitsFormat } from './form-format.ts';

const form = (properties: Record<string, unknown>, required?: string[]): Form =>
  new Form({ type: 'object', properties, ...(required && { required }) });

/** Whether a value fits a field. */
const fits = (schema: Record<string, unknown>, value: unknown): boolean =>
  form({ x: schema }).problems({ x: value }).length === 0;

describe('fields', () => {
  test.each<[string, Record<string, unknown>, unknown[], unknown[]]>([
    ['text', { type: 'string' }, ['', 'a'], [1, true, null, ['a'], {}]],
    ['text of a length', { type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc', '👍👍👍'], ['a', 'abcd', '👍']],
    ['numbers', { type: 'number' }, [0, -1.5], ['1', NaN, Infinity, true, null]],
    ['integers', { type: 'integer' }, [0, -3, 2e3], [1.5, '1']],
    ['numbers in a range', { type: 'number', minimum: 1, maximum: 2 }, [1, 1.5, 2], [0.99, 2.01]],
    ['booleans', { type: 'boolean' }, [true, false], ['true', 0, null]],
    ['choices', { type: 'string', enum: ['a', 'b'] }, ['a', 'b'], ['c', '', 1]],
    ['choices with names', { type: 'string', enum: ['a'], enumNames: ['A'] }, ['a'], ['A']],
    ['titled choices', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, ['a'], ['A', 'b']],
    ['choices without a type', { enum: ['a', 1] }, ['a', 1], ['b', 2, {}]],
    [
      'lists',
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      [[], ['a'], ['b', 'a']],
      [['c'], 'a', [1]],
    ],
    ['titled lists', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, [['a']], [['A']]],
    [
      'lists of a length',
      { type: 'array', minItems: 1, maxItems: 2, items: {} },
      [['a'], ['a', 'b']],
      [[], ['a', 'b', 'c']],
    ],
    ['what is not known', { type: ['string', 'null'] }, ['a', 1, true, ['a']], [{}, null, [1], [{}]]],
  ])('[ELI-005 ELI-006] %s', (_name, schema, good, bad) => {
    for (const value of good) expect(fits(schema, value), JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(fits(schema, value), JSON.stringify(value)).toBe(false);
  });

  test('a pattern of the server is never run', () => {
    expect(fits({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(50)}!`)).toBe(true);
  });

  test('what is required has to be there, what is not known may be', () => {
    const asked = form({ a: { type: 'string' }, b: { type: 'string' } }, ['a']);
    expect(asked.problems({ b: 'x' })).toEqual(['a is missing']);
    expect(asked.problems({ a: 'x', more: 1 })).toEqual([]);
    expect(asked.problems({ a: 'x', more: { deep: 1 } })).toHaveLength(1);
  });

  test('problems do not repeat values', () => {
    expect(
      form({ key: { type: 'integer' } })
        .problems({ key: 'hunter2' })
        .join(),
    ).not.toContain('hunter2');
  });
});

describe('defaults', () => {
  test('[ELI-007] stand for what is missing, and for nothing else', () => {
    const asked = form({
      a: { type: 'string', default: 'x' },
      b: { type: 'integer', default: 1 },
      c: { type: 'boolean', default: false },
      d: { type: 'array', items: { enum: ['p', 'q'] }, default: ['p'] },
      e: { type: 'string', enum: ['m'], default: 'm' },
      f: { type: 'string' },
    });
    expect(asked.filled({})).toEqual({ a: 'x', b: 1, c: false, d: ['p'], e: 'm' });
    expect(asked.filled({ a: '', b: 0, c: true, d: [], e: undefined })).toEqual({
      a: '',
      b: 0,
      c: true,
      d: [],
      e: 'm',
    });
  });

  test('that do not fit their own field are left out', () => {
    expect(form({ a: { type: 'integer', default: 'one' } }).filled({})).toEqual({});
  });

  test('a field with the name of the prototype is a field like others', () => {
    const schema = JSON.parse('{"__proto__":{"type":"string","default":"x"}}') as Record<string, unknown>;
    const filled = form(schema).filled({});
    expect(Object.entries(filled)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
  });
});

test.each([
  { type: 'array' },
  { type: 'object', properties: [] },
  { type: 'object', properties: { a: 1 } },
  { type: 'object', properties: { a: { type: 'object', properties: {} } } },
  { type: 'object', required: 'a' },
])('%j is no form', (schema) => {
  expect(() => new Form(schema)).toThrow(/requestedSchema/);
});

describe('formats', () => {
  test.each<[string, string[], string[]]>([
    [
      'email',
      ['a@b', 'a.b+c@example.org', "o'x@sub.ex-ample.co", 'ü@bücher.example'],
      ['a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@-b', 'a@b..c', 'a@b-'],
    ],
    [
      'uri',
      ['https://a.test/x?y#z', 'urn:isbn:1', 'mailto:a@b'],
      ['/x', 'a b', 'http://', '://x', 'http://a b', '1http:x'],
    ],
    [
      'date',
      ['2024-02-29', '1999-12-31'],
      ['2023-02-29', '2024-13-01', '2024-1-1', '2024-01-01T00:00:00Z', '2024-04-31', ''],
    ],
    [
      'date-time',
      ['2024-02-29T23:59:60Z', '2024-01-01t00:00:00.123z', '2024-01-01T00:00:00+05:30', '2024-01-01T00:00:00-23:59'],
      [
        '2024-01-01',
        '2024-01-01T00:00:00',
        '2024-01-01T24:00:00Z',
        '2024-01-01T00:60:00Z',
        '2024-02-30T00:00:00Z',
        '2024-01-01T00:00:00+24:00',
        '2024-01-01T00:00:61Z',
        '2024-01-01T00:00:00-00:60',
      ],
    ],
    ['unheard-of', ['anything'], []],
  ])('%s', (format, good, bad) => {
    for (const text of good) expect(fitsFormat(format, text), text).toBe(true);
    for (const text of bad) expect(fitsFormat(format, text), text).toBe(false);
  });

  test('an address has 64 characters before the @, 255 after it and 63 between dots, not one more', () => {
    const label = 'd'.repeat(63);
    const domain = [label, label, label, label].join('.');
    for (const text of [`${'l'.repeat(64)}@b`, `a@${label}`, `a@${domain}`])
      expect(fitsFormat('email', text)).toBe(true);
    const long = [`${'l'.repeat(65)}@b`, `a@${label}d`, `a@${[label, label, label, label.slice(1), 'd'].join('.')}`];
    for (const text of long) expect(fitsFormat('email', text), text).toBe(false);
  });
});
