import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../../base/errors.ts';
import { VirtualClock } from '../../../testing/clock.ts';
import { KeyRing } from './keys.ts';
import { maxStateChars, Sealer, UnsealError } from './seal.ts';

const secrets = ['a secret of at least 16 bytes'];
const sealer = (clock = new VirtualClock(), keys = secrets): Sealer => new Sealer(new KeyRing(keys), 1_000, clock);

describe('sealing', () => {
  test('there and back, each time another text', async () => {
    const text = await sealer().seal({ a: ['ö'] }, 'bound');
    expect(await sealer().seal({ a: ['ö'] }, 'bound')).not.toBe(text);
    expect(await sealer().open(text, 'bound')).toEqual({ a: ['ö'] });
  });

  test('for another purpose it is a forgery', async () => {
    const text = await sealer().seal({}, 'bound');
    await expect(sealer().open(text, 'otherwise')).rejects.toThrow(UnsealError);
  });

  test('every bit of it counts', async () => {
    const text = String(await sealer().seal({}, 'bound'));
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < text.length; at++) {
      for (const bit of [1, 32]) {
        const flipped = alphabet[alphabet.indexOf(String(text[at])) ^ bit];
        const changed = text.slice(0, at) + String(flipped) + text.slice(at + 1);
        await expect(sealer().open(changed, 'bound'), changed).rejects.toThrow(UnsealError);
      }
    }
  });

  test('cut anywhere it is none', async () => {
    const text = String(await sealer().seal({}, 'bound'));
    for (let length = 0; length < text.length; length++)
      await expect(sealer().open(text.slice(0, length), 'bound')).rejects.toThrow(UnsealError);
  });

  test('65,536 characters at most', async () => {
    const sized = (length: number): Promise<string | undefined> => sealer().seal({ a: 'x'.repeat(length) }, 'bound');
    let fits = 48_000;
    while ((await sized(fits + 1)) !== undefined) fits++;
    const largest = String(await sized(fits));
    expect(largest.length).toBeGreaterThan(maxStateChars - 4);
    expect(largest.length).toBeLessThanOrEqual(maxStateChars);
    expect(await sealer().open(largest, 'bound')).toEqual({ a: 'x'.repeat(fits) });
  });

  test('the first secret seals, all of them open', async () => {
    const clock = new VirtualClock();
    const other = 'another secret of 16 bytes';
    const text = await sealer(clock).seal({}, 'b');
    expect(await sealer(clock, [other, ...secrets]).open(text, 'b')).toEqual({});
    const newer = await sealer(clock, [other, ...secrets]).seal({}, 'b');
    await expect(sealer(clock).open(newer, 'b')).rejects.toThrow('not known here');
  });
});

describe('secrets', () => {
  test.each([[[]], [['too short: 15 b']], [[new Uint8Array(15)]], [[5 as never]]])(
    'that cannot be used: %j',
    (keys) => {
      expect(() => new KeyRing(keys)).toThrow(ArgumentError);
    },
  );

  test('of 16 bytes can; the error does not show one', () => {
    expect(new KeyRing(['16 bytes exactly']).ofThisProcess).toBe(false);
    expect(new KeyRing(undefined).ofThisProcess).toBe(true);
    expect(() => new KeyRing(['hunter2'])).toThrow(/^(?!.*hunter2).*7 bytes/);
  });

  test('changed later they are what they were', async () => {
    const secret = new Uint8Array(16).fill(1);
    const ring = new KeyRing([secret]);
    secret.fill(2);
    const { id } = await ring.sealing();
    expect(id).toEqual((await new KeyRing([new Uint8Array(16).fill(1)]).sealing()).id);
    expect(await ring.sealing()).toBe(await ring.sealing());
  });
});
