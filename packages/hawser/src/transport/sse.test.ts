import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ResponseTooLargeError } from '../base/errors.ts';
import { readEvents, type Place } from './sse.ts';

const encoder = new TextEncoder();

async function* chunksOf(bytes: Uint8Array, sizes: Iterable<number>, error?: Error): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) break;
    yield bytes.subarray(at, at + size);
    at += size;
  }
  if (at < bytes.length) yield bytes.subarray(at);
  if (error !== undefined) throw error;
}

interface Read {
  events: string[];
  how: string;
}

async function read(
  stream: string | Uint8Array,
  sizes: Iterable<number> = [],
  { max = 1_000_000, stopAt = Infinity, error }: { max?: number; stopAt?: number; error?: Error } = {},
): Promise<Read> {
  const bytes = typeof stream === 'string' ? encoder.encode(stream) : stream;
  const events: string[] = [];
  try {
    const { how, error: cause } = await readEvents(chunksOf(bytes, sizes, error), max, (data) => {
      events.push(data);
      return events.length >= stopAt ? 'enough' : 'more';
    });
    return { events, how: how === 'broken' ? (cause as Error).name : how };
  } catch (thrown) {
    return { events, how: thrown instanceof Error ? thrown.name : String(thrown) };
  }
}

/** Streams and the data of their events, one per sentence of the standard that concerns us. */
const fixtures: readonly [title: string, stream: string, data: string[]][] = [
  ['one event', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['no space after the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
  ['one space of several goes', 'data:   x\n\n', ['  x']],
  ['ends of CRLF', 'event: message\r\ndata: x\r\n\r\n', ['x']],
  ['ends of CR', 'event: message\rdata: x\r\rdata: y\r\r', ['x', 'y']],
  ['ends of all kinds in one stream', 'data: a\r\n\ndata: b\r\rdata: c\n\r\ndata: d\r\n\r\n', ['a', 'b', 'c', 'd']],
  ['CR then LF is one end, LF then CR are two', 'data: a\n\rdata: b\r\n\r\n', ['a', 'b']],
  ['several data lines are joined by LF', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
  ['several data lines with CRLF', 'data: {"a":\r\ndata: 1}\r\n\r\n', ['{"a":\n1}']],
  ['a comment between', ': hello\n\ndata: x\n\n:\r\n\r\ndata: y\n\n', ['x', 'y']],
  ['a comment within an event', 'data: a\n: ping\ndata: b\n\n', ['a\nb']],
  ['a byte order mark', '\ufeffdata: x\n\n', ['x']],
  ['a second byte order mark is text', '\ufeffdata: \ufeffx\n\n', ['\ufeffx']],
  ['unknown fields', 'x: 1\nfoo\nDATA: no\ndata: x\nbar: data: y\n\n', ['x']],
  ['an id and a time to wait', 'id: 7\nretry: 3000\ndata: x\n\n', ['x']],
  ['a time to wait that is none', 'retry: soon\ndata: x\n\n', ['x']],
  ['an id with NUL', 'id: a\0b\ndata: x\n\n', ['x']],
  ['the event named message', 'event: message\ndata: x\n\n', ['x']],
  ['an event with an empty name', 'event:\ndata: x\n\n', ['x']],
  ['an event with another name', 'event: ping\ndata: {}\n\ndata: x\n\n', ['x']],
  ['a name holds for one event only', 'event: ping\n\ndata: x\n\n', ['x']],
  ['the last name counts', 'event: ping\nevent: message\ndata: x\n\n', ['x']],
  ['empty data', 'id: 0\nretry: 3000\ndata:\n\nid: 1\ndata: x\n\n', ['x']],
  ['data without a colon', 'data\n\ndata: x\n\n', ['x']],
  ['only an id', 'id: 3\n\ndata: x\n\n', ['x']],
  ['text of several bytes', 'data: żółw 日本 🐢\n\n', ['żółw 日本 🐢']],
  ['empty lines before', '\n\n\r\n\r\rdata: x\n\n', ['x']],
  ['the last event without its blank line', 'data: x\n\ndata: y\n', ['x', 'y']],
  ['the last event without its line end', 'data: x\n\ndata: y', ['x', 'y']],
  ['a CR as the last byte', 'data: x\n\ndata: y\r', ['x', 'y']],
  ['nothing', '', []],
  ['nothing but comments', ': a\n: b\n\n', []],
];

describe('events of a stream', () => {
  test.each(fixtures)('[HTTP-061 SEED-124] %s', async (_, stream, data) => {
    expect(await read(stream)).toEqual({ events: data, how: 'ended' });
  });

  test.each(fixtures)('%s: the same however it is cut', async (_, stream, data) => {
    const bytes = encoder.encode(stream);
    for (let at = 1; at < bytes.length; at++)
      expect((await read(bytes, [at])).events, `cut at byte ${at}`).toEqual(data);
    expect(
      (
        await read(
          bytes,
          Array.from({ length: bytes.length }, () => 1),
        )
      ).events,
      'byte by byte',
    ).toEqual(data);
  });

  test('an event is handed over as soon as its bytes are there, with bare CR too', async () => {
    const seen: string[] = [];
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const end of ['\n', '\r\n', '\r']) {
        yield encoder.encode(`data: x${end}${end}`);
        expect(seen.splice(0), JSON.stringify(end)).toEqual(['x']);
      }
    }
    await readEvents(body(), 1_000, (data) => {
      seen.push(data);
      return 'more';
    });
  });

  test('what follows when enough was had is not read', async () => {
    let pulled = 0;
    let left = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          pulled++;
          yield encoder.encode(`data: ${pulled}\n\ndata: late\n\n`);
        }
      } finally {
        left = true;
      }
    }
    const events: string[] = [];
    const { how } = await readEvents(body(), 1_000, (data) => {
      events.push(data);
      return data === '2' ? 'enough' : 'more';
    });
    expect({ how, events, pulled, left }).toEqual({ how: 'enough', events: ['1', 'late', '2'], pulled: 2, left: true });
  });
});

describe('streams that break', () => {
  const error = new TypeError('reset');

  test('the failure comes through', async () => {
    expect(await read('data: x\n\ndata: {"b', [], { error })).toEqual({ events: ['x', '{"b'], how: 'TypeError' });
  });

  test('what the taker throws comes through as it is, and the stream is let go', async () => {
    let left = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield encoder.encode('data: x\n\ndata: y\n\n');
      } finally {
        left = true;
      }
    }
    const seen: string[] = [];
    const reading = readEvents(body(), 1_000, (data) => {
      seen.push(data);
      throw error;
    });
    await expect(reading).rejects.toBe(error);
    expect([seen, left]).toEqual([['x'], true]);
    // At the end of the stream as well.
    const last = readEvents(chunksOf(encoder.encode('data: x'), []), 1_000, () => {
      throw error;
    });
    await expect(last).rejects.toBe(error);
  });

  test('[SEED-105] not when enough had come, whole or without its blank line', async () => {
    for (const stream of ['data: x\n\n', 'data: x\n', 'data: x'])
      expect(await read(stream, [], { error, stopAt: 1 }), JSON.stringify(stream)).toEqual({
        events: ['x'],
        how: 'enough',
      });
  });
});

/** How far a stream was read. */
async function placeAfter(stream: string, sizes: Iterable<number> = [], error?: Error): Promise<Place> {
  const place: Place = {};
  await readEvents(chunksOf(encoder.encode(stream), sizes, error), 1_000_000, () => 'more', place).catch(
    () => undefined,
  );
  return place;
}

describe('how far a stream was read', () => {
  const long = 'x'.repeat(1_024);

  test.each<[string, string, Place]>([
    ['an id and a time to wait', 'id: 7\nretry: 3000\ndata: x\n\n', { lastEventId: '7', retryMs: 3_000 }],
    ['without data', 'id: 7\ndata:\n\n', { lastEventId: '7' }],
    ['nothing but an id', 'id: 7\n\n', { lastEventId: '7' }],
    ['an event for others', 'event: ping\nid: 7\ndata: x\n\n', { lastEventId: '7' }],
    ['it holds for what comes after', 'id: 7\ndata: x\n\ndata: y\n\n', { lastEventId: '7' }],
    ['the last one counts', 'id: 7\nid: 8\ndata: x\n\nid: 9\ndata: y\n\n', { lastEventId: '9' }],
    ['an empty one takes it back', 'id: 7\ndata: x\n\nid\ndata: y\n\n', { lastEventId: undefined }],
    ['no space after the colon', 'id:7\nretry:20\n\n', { lastEventId: '7', retryMs: 20 }],
    ['1,024 characters', `id: ${long}\n\n`, { lastEventId: long }],
    ['a time to wait at once', 'retry: 20\n', { retryMs: 20 }],
    ['zero', 'retry: 0\n\n', { retryMs: 0 }],
    ['nothing', 'data: x\n\n', {}],
  ])('[LHTTP-013 BUG-033] %s', async (_, stream, place) => {
    expect(await placeAfter(stream)).toEqual(place);
    expect(
      await placeAfter(
        stream,
        Array.from({ length: stream.length }, () => 1),
      ),
    ).toEqual(place);
  });

  test.each([
    ['1,025 characters', `id: ${long}x`],
    ['a letter that is not ASCII', 'id: é'],
    ['a blank', 'id: a b'],
    ['a NUL', 'id: a\0b'],
    ['a tab', 'id: a\tb'],
    ['a DEL', 'id: a\x7f'],
  ])('[SEED-462] an id with %s cannot be sent back, and takes the one before back', async (_, line) => {
    expect(await placeAfter(`${line}\ndata: x\n\n`)).toEqual({});
    // From the good one on the second event would come again.
    expect(await placeAfter(`id: good\ndata: x\n\n${line}\ndata: y\n\n`)).toEqual({});
    expect(await placeAfter(`id: good\n${line}\ndata: x\n\n`)).toEqual({});
    expect(await placeAfter(`${line}\nid: good\ndata: x\n\n`)).toEqual({ lastEventId: 'good' });
    expect(await placeAfter(`${line}\ndata: x\n\nid: good\n\n`)).toEqual({ lastEventId: 'good' });
  });

  test.each(['soon', '-1', '1.5', '1e3', '+1', '0x10', '', ' 20', '20 ', '9'.repeat(16)])(
    'a time to wait of “%s” is none',
    async (time) => {
      expect(await placeAfter(`retry: 20\nretry: ${time}\n\n`)).toEqual({ retryMs: 20 });
    },
  );

  test.each([
    ['an id', 'id: 17\n', 'id: 1'],
    ['a time to wait', 'retry: 17\n', 'retry: 1'],
  ])('half of %s is another one, and does not count', async (_, whole, half) => {
    expect(await placeAfter(`id: 7\nretry: 70\n\ndata: {}\n${whole}`)).not.toEqual({ lastEventId: '7', retryMs: 70 });
    expect(await placeAfter(`id: 7\nretry: 70\n\ndata: {}\n${half}`)).toEqual({ lastEventId: '7', retryMs: 70 });
  });

  test('wherever it is cut, what was read and what comes after the place are the whole, each once', async () => {
    const events = [1, 2, 3].map((n) => ({ id: String(n), data: `{"n":${n},"text":"€"}` }));
    for (const end of ['\n', '\r\n', '\r']) {
      const text = events
        .map(({ id, data }) => ['event: message', `id: ${id}`, `data: ${data}`, '', ''].join(end))
        .join('');
      const bytes = encoder.encode(text);
      for (let at = 0; at <= bytes.length; at++) {
        for (const error of [undefined, new TypeError('reset')]) {
          const got: string[] = [];
          const place: Place = {};
          const take = (data: string): 'more' => {
            if (data.endsWith('}')) got.push(data);
            return 'more';
          };
          await readEvents(chunksOf(bytes.subarray(0, at), [], error), 1_000, take, place).catch(() => undefined);
          const rest = events.filter(({ id }) => Number(id) > Number(place.lastEventId ?? 0));
          expect([...got, ...rest.map(({ data }) => data)], `cut at byte ${at}`).toEqual(
            events.map(({ data }) => data),
          );
        }
      }
    }
  });
});

describe('the limit of an event', () => {
  const limit = 10_000;
  const whole = (size: number): string => `event: message\r\nid: 1\r\ndata: ${'x'.repeat(size)}\r\n\r\n`;
  const wide = (size: number): string => `data: ${'€'.repeat(Math.floor(size / 3))}${'x'.repeat(size % 3)}\n\n`;
  const lines = (size: number): string => `data: ${'x'.repeat(4_999)}\ndata: ${'y'.repeat(size - 5_000)}\n\n`;
  const cuts: readonly [string, number[]][] = [
    ['in one chunk', []],
    ['in two', [5_000]],
    ['in many', Array.from({ length: 20 }, () => 777)],
  ];

  describe.each(cuts)('%s', (_, sizes) => {
    test.each([
      ['one line', whole],
      ['text of several bytes', wide],
      ['two lines', lines],
    ])('%s: exactly the limit is taken, one byte more is not', async (_, make) => {
      const fits = await read(make(limit), sizes, { max: limit });
      expect(fits.how).toBe('ended');
      expect(encoder.encode(fits.events[0]).length).toBe(limit);
      expect(await read(make(limit + 1), sizes, { max: limit })).toEqual({ events: [], how: 'ResponseTooLargeError' });
    });
  });

  test('each event has the whole limit to itself', async () => {
    const stream = whole(limit).repeat(5);
    expect(
      (
        await read(
          stream,
          Array.from({ length: 100 }, () => 700),
          { max: limit },
        )
      ).events.length,
    ).toBe(5);
  });

  test('an event for others counts too', async () => {
    const stream = `event: ping\ndata: ${'x'.repeat(limit + 1)}\n\n`;
    expect((await read(stream, [], { max: limit })).how).toBe('ResponseTooLargeError');
  });

  test('a line that does not end is given up, and names the limit', async () => {
    let pulled = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      for (;;) {
        pulled++;
        yield encoder.encode('x'.repeat(1_000));
      }
    }
    const failed = await readEvents(body(), limit, () => 'more').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ResponseTooLargeError);
    expect(failed).toMatchObject({ limitBytes: limit, code: 'response_too_large' });
    expect(pulled).toBeLessThan(20);
  });

  test('an event that goes on line after line is given up', async () => {
    let pulled = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      for (;;) {
        pulled++;
        yield encoder.encode(`data: ${'x'.repeat(992)}\n`);
      }
    }
    await expect(readEvents(body(), limit, () => 'more')).rejects.toBeInstanceOf(ResponseTooLargeError);
    expect(pulled).toBeLessThan(20);
  });

  test('an answer that came before what is too large counts', async () => {
    const stream = `data: x\n\ndata: ${'y'.repeat(limit * 2)}\n\n`;
    expect(await read(stream, [], { max: limit, stopAt: 1 })).toEqual({ events: ['x'], how: 'enough' });
  });
});

describe('any bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 400 });
  const eventLike = fc
    .array(
      fc.constantFrom(
        'data: x',
        'data:',
        'data',
        ': c',
        'event: e',
        'id: 1',
        'retry: 1',
        '\r',
        '\n',
        '\r\n',
        '€',
        '\0',
        ' ',
      ),
      { maxLength: 60 },
    )
    .map((parts) => encoder.encode(parts.join('')));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });

  test('never throw, and mean the same however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, eventLike), sizes, async (stream, cuts) => {
        const whole = await read(stream);
        expect(whole.how).toBe('ended');
        expect(await read(stream, cuts)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });
});

describe('effort', () => {
  // Were it not linear, each of these would take minutes.
  test.each([
    ['CR only', '\r'],
    ['short lines of CR', 'a\r'],
    ['short lines of LF after one CR', '\na'],
  ])('4 MB of %s are read in one go', async (_, unit) => {
    const stream = `data: x\r\r${unit.repeat(4_000_000 / unit.length)}\n\ndata: y\n\n`;
    expect((await read(stream)).events).toEqual(['x', 'y']);
  });
});
