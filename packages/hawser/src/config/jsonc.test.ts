import { assert, json, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsoncError, parseJsonc } from './jsonc.ts';

function errorOf(text: string): JsoncError {
  try {
    parseJsonc(text);
  } catch (error) {
    if (error instanceof JsoncError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('parseJsonc', () => {
  test('takes what JSON takes', () => {
    assert(
      property(json({ maxDepth: 5 }), (text) => {
        expect(parseJsonc(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('takes comments, trailing commas and a byte order mark', () => {
    const text =
      '\uFEFF// first\n{ /* a */ "a": [1, 2, /* no 3 */], // last\r\n "b//": "/* no */ // no", }\n/* end */ // ';
    expect(parseJsonc(text)).toEqual({ a: [1, 2], 'b//': '/* no */ // no' });
  });

  test('of keys that repeat the last one counts; __proto__ is a key like any other', () => {
    const value = parseJsonc('{"a":1,"a":2,"__proto__":{"x":1}}') as Record<string, unknown>;
    expect(Object.entries(value)).toEqual([
      ['a', 2],
      ['__proto__', { x: 1 }],
    ]);
    expect(value['x']).toBeUndefined();
  });

  test.each([
    ['', 1, 1, 'it ends too early'],
    ['{', 1, 2, 'it ends before a closing }'],
    ['[1\n2]', 2, 1, 'a comma or ] is expected'],
    ['{"a" 1}', 1, 6, 'a colon is expected'],
    ['{a:1}', 1, 2, 'a key in double quotes is expected'],
    ['{\n"a":\n  }', 3, 3, 'a value is expected'],
    ['[,]', 1, 2, 'a value is expected'],
    ['["a\n"]', 1, 2, 'a text is not closed on its line'],
    [String.raw`["\x"]`, 1, 2, 'a text holds an escape or a character that JSON does not allow'],
    ['/* open', 1, 1, 'a comment is not closed'],
    ['{}\n{}', 2, 1, 'something follows the end'],
    ['nullx', 1, 1, 'a value is expected'],
    ['01', 1, 1, 'a value is expected'],
    ['1.', 1, 1, 'a value is expected'],
  ])('refuses %j at line %i, column %i', (text, line, column, message) => {
    expect(errorOf(text)).toMatchObject({ line, column, message });
  });

  test('takes 64 levels, not 65', () => {
    expect(parseJsonc('['.repeat(64) + '1' + ']'.repeat(64))).toBeDefined();
    expect(errorOf('['.repeat(65) + '1' + ']'.repeat(65)).message).toMatch('64 levels');
  });

  test('a text cut anywhere gives an error, and none quotes it', () => {
    const text = '{ "secret-key": ["secret", 1.5e3, true, null], /* secret */ "b": { "secret2": "s\\u00e9cret" } }';
    for (let end = 0; end < text.length; end++) expect(errorOf(text.slice(0, end)).message).not.toMatch('cret');
  });
});
