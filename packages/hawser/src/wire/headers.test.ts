import { array, assert, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeader, encodeHeader, headerEquals, headerText, trim } from './headers.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `=?base64?…?=` of UTF-8. */
const wrapped = (text: string): string => `=?base64?${btoa(String.fromCharCode(...utf8(text)))}?=`;

/** What UTF-8 makes of a text: halves of pairs become U+FFFD. */
const byUtf8 = (text: string): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8(text));

/** Any string that UTF-8 can carry. */
const wellFormed = string({ unit: 'binary' });
/** Strings that look like encoded values, or nearly. */
const lookAlike = string({ unit: 'binary-ascii', maxLength: 12 }).map((text) => `=?base64?${text}?=`);

describe('value encoding', () => {
  test.each([
    '',
    'a',
    'us-west1',
    'a b',
    'file:///tmp/a%20b?c=d#e',
    '!"#$%&\'()*+,-./0123456789:;<=>?@[\\]^_`{|}~',
    '=?base64?',
    '?=',
    'x=?base64?YQ==?=',
    '=?base64?YQ==?=x',
    '=?BASE64?YQ==?=',
    '=?base64:YQ==?=',
  ])('[HTTP-044] what is safe goes as it is: %j', (text) => {
    expect(encodeHeader(text)).toBe(text);
  });

  test.each([
    ' a',
    'a ',
    ' ',
    '\t',
    'a\t',
    '\ta',
    'a\r\nInjected: yes',
    'a\nb',
    '\u0000',
    'é',
    'Załącznik/日本.pdf',
    '👩‍🚀',
    '\u00a0',
    '\ufeff',
  ])('[HTTP-045 HTTP-027] all else goes as Base64 of its UTF-8, between exact markers: %j', (text) => {
    expect(encodeHeader(text)).toBe(wrapped(text));
  });

  test.each(['a\tb', '\u007f', 'a\u007fb', '\u0080', '\u001f'])(
    '[B-28] what is outside 0x20 to 0x7E is encoded, an interior tab too: %j',
    (text) => {
      expect(encodeHeader(text)).toBe(wrapped(text));
    },
  );

  test.each(['\ud800', 'a\udfffb', '\udc00\ud800'])('[B-28] a lone surrogate becomes U+FFFD: %j', (text) => {
    expect(decodeHeader(encodeHeader(text))).toBe(byUtf8(text));
    expect(decodeHeader(encodeHeader(text))).not.toBe(text);
  });

  test.each(['=?base64?=', '=?base64??=', '=?base64?YQ==?=', '=?base64?not base64?=', '=?base64?=?base64?YQ==?=?='])(
    '[HTTP-046] a plain value that looks encoded is encoded: %j',
    (text) => {
      expect(encodeHeader(text)).toBe(wrapped(text));
      expect(decodeHeader(encodeHeader(text))).toBe(text);
    },
  );

  test('[HTTP-045] decoding gives back every string that UTF-8 can carry', () => {
    assert(
      property(wellFormed, (text) => {
        expect(decodeHeader(encodeHeader(text))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  test('[HTTP-046] and every string that looks encoded', () => {
    assert(
      property(lookAlike, (text) => {
        expect(decodeHeader(encodeHeader(text))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  test('[HTTP-044] whatever the text, its header is safe and keeps its ends', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const header = encodeHeader(text);
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(trim(header)).toBe(header);
      }),
      { numRuns: 1_000 },
    );
  });

  test('[B-28] lone surrogates do not make a header unsafe', () => {
    const anything = array(integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    assert(
      property(anything, (text) => {
        expect(encodeHeader(text)).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeHeader(encodeHeader(text))).toBe(byUtf8(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe('reading a value', () => {
  test.each([
    ['  us-west1\t ', 'us-west1'],
    ['\t=?base64?w6k=?= ', 'é'],
    ['   ', ''],
    ['', ''],
    ['a  b', 'a  b'],
  ])('[B-26 HTTP-030] white space around it goes before anything else: %j', (header, text) => {
    expect(decodeHeader(header)).toBe(text);
  });

  test.each([
    ['=?base64?w6k=?=', 'é'],
    ['=?base64??=', ''],
    ['=?base64?ICBhICA=?=', '  a  '],
    ['=?base64?ZmlsZTovLy9aYcWCxIVjem5pa2kvcmFwb3J0LnBkZg==?=', 'file:///Załączniki/raport.pdf'],
    ['=?base64?77u/YQ==?=', '\ufeffa'],
  ])('[HTTP-029 BUG-117] an encoded value is decoded: %j', (header, text) => {
    expect(decodeHeader(header)).toBe(text);
  });

  test.each([
    ['broken alphabet', '=?base64?@@@@?='],
    ['url alphabet', '=?base64?-_-_?='],
    ['no padding', '=?base64?YQ?='],
    ['half the padding', '=?base64?YQ=?='],
    ['too much padding', '=?base64?YQ===?='],
    ['padding in the middle', '=?base64?YQ==YQ==?='],
    ['white space within', '=?base64?Y Q==?='],
    ['bytes that are no UTF-8', '=?base64?/w==?='],
    ['half a character', '=?base64?w6lh8J+R?='],
    ['an encoded surrogate', '=?base64?7aCA?='],
  ])('[HTTP-029 BUG-117] what claims to be encoded and is not, is nothing: %s', (_, header) => {
    expect(decodeHeader(header)).toBeUndefined();
  });

  test.each(['=?BASE64?YQ==?=', '=?Base64?YQ==?=', '=?base64?YQ==', 'YQ==?=', '=?base64?=', '=?utf-8?YQ==?='])(
    '[BUG-117] markers are exact; with others a value is plain: %j',
    (header) => {
      expect(decodeHeader(header)).toBe(header);
    },
  );

  test.each(['a\u0000b', 'caf\u00e9', 'a\u007fb', 'a\rb', 'a\nb', '日本'])(
    '[HTTP-031] characters that no header may have: %j',
    (header) => {
      expect(decodeHeader(header)).toBeUndefined();
    },
  );

  test('an interior tab is legal on the wire', () => {
    expect(decodeHeader('a\tb')).toBe('a\tb');
  });

  test('nothing a peer can send makes it throw', () => {
    assert(
      property(string({ unit: 'binary' }), lookAlike, (plain, encoded) => {
        for (const header of [plain, encoded]) expect(['string', 'undefined']).toContain(typeof decodeHeader(header));
      }),
      { numRuns: 500 },
    );
  });
});

describe('arguments as header text', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    ['007', '007'],
    [42, '42'],
    [-7, '-7'],
    [0, '0'],
    [-0, '0'],
    [9_007_199_254_740_991, '9007199254740991'],
    [-9_007_199_254_740_991, '-9007199254740991'],
    [1e15, '1000000000000000'],
    [true, 'true'],
    [false, 'false'],
  ])('[HTTP-043] %j as %j', (value, text) => {
    expect(headerText(value)).toBe(text);
  });

  test.each([1.5, 9_007_199_254_740_992, 1e21, NaN, Infinity, null, undefined, {}, [], [1]])(
    '[B-29] %s has no text',
    (value) => {
      expect(headerText(value)).toBeUndefined();
    },
  );

  test.each([
    ['42', 42],
    ['42.0', 42],
    ['42.000', 42],
    ['-7', -7],
    ['0', 0],
    ['-0', 0],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('[HTTP-032 B-29] %j says the same as %j', (text, value) => {
    expect(headerEquals(text, value)).toBe(true);
  });

  test.each([
    ['', 0],
    ['0x2a', 42],
    ['4.2e1', 42],
    ['NaN', 0],
    ['Infinity', 0],
    [' 42', 42],
    ['+42', 42],
    ['42.', 42],
    ['.0', 0],
    ['42,0', 42],
    ['43', 42],
    ['42.5', 42],
    ['1.5', 1.5],
    ['9007199254740993', 9_007_199_254_740_992],
  ])('[B-29] %j does not say the same as %j', (text, value) => {
    expect(headerEquals(text, value)).toBe(false);
  });

  test.each([
    ['a', 'a', true],
    ['A', 'a', false],
    ['', '', true],
    ['42', '42', true],
    ['42.0', '42', false],
    ['true', true, true],
    ['True', true, false],
    ['1', true, false],
    ['false', false, true],
    ['null', null, false],
  ])('[HTTP-048 HTTP-030] %j and %j: %j', (text, value, same) => {
    expect(headerEquals(text, value)).toBe(same);
  });
});
