import { assert, array, constantFrom, integer, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './ndjson.ts';

type Found = { line: string } | { oversize: string };

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);

function split(chunks: Iterable<Uint8Array>, maxLineBytes = 1_000): Found[] {
  const found: Found[] = [];
  const splitter = new LineSplitter(
    { line: (text) => found.push({ line: text }), oversize: (head) => found.push({ oversize: head }) },
    maxLineBytes,
  );
  for (const chunk of chunks) splitter.feed(chunk);
  return found;
}

const lines = (...texts: string[]): Found[] => texts.map((line) => ({ line }));

/** Streams of bytes, and what is in them. */
const fixtures: [name: string, text: string, found: Found[]][] = [
  ['one line', '{"a":1}\n', lines('{"a":1}')],
  ['two lines', '{"a":1}\n{"b":2}\n', lines('{"a":1}', '{"b":2}')],
  ['CRLF', '{"a":1}\r\n{"b":2}\r\n', lines('{"a":1}', '{"b":2}')],
  ['both ends mixed', '1\n2\r\n3\n', lines('1', '2', '3')],
  ['blank lines', '\n   \n\t\n\r\n \t \r\n\r\r\n1\n\n', lines('1')],
  ['spaces around are kept', '  {"a":1} \n', lines('  {"a":1} ')],
  ['a carriage return inside is kept', 'a\rb\n', lines('a\rb')],
  ['no end: nothing yet', '{"a":1}', []],
  ['an end, then the beginning of a line', '1\n2', lines('1')],
  ['characters of 2, 3 and 4 bytes', 'é—读取🎉\n"ü"\n', lines('é—读取🎉', '"ü"')],
  [
    'other line separators end no line',
    'a\u2028b\u2029c\u0085d\u000Be\u000C\n',
    lines('a\u2028b\u2029c\u0085d\u000Be\u000C'),
  ],
  ['a byte order mark is dropped', '\uFEFF{"a":1}\n\uFEFF\n', lines('{"a":1}')],
  ['one mark only, and only at the beginning', '\uFEFF\uFEFF1\n2\uFEFF\n', lines('\uFEFF1', '2\uFEFF')],
  ['a banner', 'Server v1.2 ready 🖥️\n{"a":1}\n', lines('Server v1.2 ready 🖥️', '{"a":1}')],
  ['NUL and other control characters', '\0\u0001\n', lines('\0\u0001')],
];

describe('lines', () => {
  test.each(fixtures)('%s', (_, text, found) => {
    expect(split([bytesOf(text)])).toEqual(found);
  });

  test.each(fixtures)('[STDIO-002 SEED-078] %s, cut at every byte', (_, text, found) => {
    const bytes = bytesOf(text);
    for (let at = 0; at <= bytes.length; at++)
      expect(split([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(found);
    expect(split(Array.from(bytes, (byte) => Uint8Array.of(byte))), 'one byte at a time').toEqual(found);
  });

  test('[SEED-078] any text in any chunks is the same as the whole', () => {
    const texts = array(
      oneof(string({ unit: 'binary' }), constantFrom('\n', '\r\n', ' ', '🎉', '\uFEFF', 'x'.repeat(40))),
    );
    assert(
      property(texts, array(integer({ min: 1, max: 9 })), integer({ min: 1, max: 64 }), (parts, sizes, limit) => {
        const bytes = bytesOf(parts.join(''));
        const chunks: Uint8Array[] = [];
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const size = sizes[n % Math.max(sizes.length, 1)] ?? bytes.length;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        // How much of a line is shown that is dropped depends on what has come of it.
        const plain = (found: Found[]) => found.map((each) => ('oversize' in each ? null : each.line));
        expect(plain(split(chunks, limit))).toEqual(plain(split([bytes], limit)));
      }),
    );
  });

  test('bytes that are no UTF-8 become replacement characters, in their own line only', () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0xfe, 0x0a, 0xc3, 0x0a, 0x62, 0x0a);
    expect(split([bytes])).toEqual(lines('a\uFFFD\uFFFD', '\uFFFD', 'b'));
  });

  test('chunks may be used again after they were fed', () => {
    const found: string[] = [];
    const splitter = new LineSplitter({ line: (text) => found.push(text), oversize: () => {} }, 100);
    const chunk = new Uint8Array(4);
    for (const part of ['abcd', 'efgh', 'ijk\n']) {
      chunk.set(bytesOf(part));
      splitter.feed(chunk);
    }
    expect(found).toEqual(['abcdefghijk']);
  });

  test('a platform’s own decoder is used', () => {
    const found: string[] = [];
    const splitter = new LineSplitter({ line: (text) => found.push(text), oversize: () => {} }, 100, (bytes) =>
      Array.from(bytes, (byte) => byte.toString(16)).join(' '),
    );
    splitter.feed(bytesOf('ab\r\nc'));
    splitter.feed(bytesOf('d\n'));
    expect(found).toEqual(['61 62', '63 64']);
  });

  test('a large line between small ones, in chunks of 64 KiB', () => {
    const large = '读'.repeat(400_000);
    const bytes = bytesOf(`1\n${large}\n2\n${large}\n3\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
      bytes.subarray(n * 65_536, (n + 1) * 65_536),
    );
    expect(split(chunks, 2_000_000)).toEqual(lines('1', large, '2', large, '3'));
  });
});

describe('the limit', () => {
  const limit = 10;

  test.each([
    ['at the limit', `${'x'.repeat(10)}\n1\n`, lines('x'.repeat(10), '1')],
    ['one past it', `${'x'.repeat(11)}\n1\n`, [{ oversize: 'x'.repeat(11) }, { line: '1' }]],
    [
      'bytes count, not characters',
      `${'é'.repeat(5)}\n${'é'.repeat(5)}x\n1\n`,
      [{ line: 'ééééé' }, { oversize: 'éééééx' }, { line: '1' }],
    ],
    [
      'a carriage return counts',
      `${'x'.repeat(9)}\r\n${'x'.repeat(10)}\r\n1\n`,
      [{ line: 'x'.repeat(9) }, { oversize: `${'x'.repeat(10)}\r` }, { line: '1' }],
    ],
    [
      'two in a row',
      `${'x'.repeat(30)}\n${'y'.repeat(30)}\n1\n`,
      [{ oversize: 'x'.repeat(30) }, { oversize: 'y'.repeat(30) }, { line: '1' }],
    ],
  ])('%s', (_, text, found) => {
    expect(split([bytesOf(text)], limit)).toEqual(found);
  });

  test('holds however the line is cut; it is reported once, as soon as it is known', () => {
    const bytes = bytesOf(`${'x'.repeat(25)}\n1\n`);
    for (let at = 1; at < bytes.length; at++) {
      const found = split([bytes.subarray(0, at), bytes.subarray(at)], limit);
      expect(
        found.map((each) => ('oversize' in each ? 'oversize' : each.line)),
        `cut at ${at}`,
      ).toEqual(['oversize', '1']);
    }
    expect(split([bytesOf('x'.repeat(11))], limit)).toEqual([{ oversize: 'x'.repeat(11) }]);
    expect(
      split(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        limit,
      ),
    ).toEqual([{ oversize: 'x'.repeat(11) }, { line: '1' }]);
  });

  test('of what is dropped, no more than its head is shown', () => {
    const [found] = split([bytesOf('a'.repeat(200)), bytesOf('b'.repeat(100_000))], 1_000);
    expect(found).toEqual({ oversize: 'a'.repeat(200) + 'b'.repeat(56) });
  });
});
