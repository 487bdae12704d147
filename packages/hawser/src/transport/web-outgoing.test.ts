import { expect, test } from 'vitest';
import { useWorld } from '../../test/support/world.ts';
import { settle } from '../testing/settle.ts';
import { streamHeaders } from './http-types.ts';
import { WebOutgoing } from './web-outgoing.ts';

const world = useWorld();

/** A response that has begun, its reader, and what became of it. */
async function begun() {
  const leaving = new AbortController();
  let out!: WebOutgoing;
  const { body } = await new Promise<Response>((resolve) => {
    out = new WebOutgoing(leaving.signal, resolve, { keepAliveMs: Infinity, stalledMs: 1_000, clock: world.clock });
    out.open(streamHeaders);
  });
  if (body === null) throw new Error('it has no body');
  const seen: string[] = [];
  out.onGone(() => seen.push('gone'));
  const reader = body.getReader();
  const read = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value && new TextDecoder().decode(value);
  };
  return { out, reader, read, leaving, seen, passedOn: () => seen.push('passed on') };
}

test.each([
  ['small', 10],
  ['as large as the buffer', 16 * 1024],
  ['larger', 100_000],
])('it is passed on when the last of it has been read: %s', async (_, size) => {
  const { out, read, seen, passedOn, leaving } = await begun();
  out.write('a'.repeat(size));
  out.end('b'.repeat(size), passedOn);
  await settle();
  expect(seen).toEqual([]);
  await read();
  await settle();
  expect(seen).toEqual([]);
  expect(await read()).toBe('b'.repeat(size));
  expect(await read()).toBeUndefined();
  leaving.abort();
  expect(seen).toEqual(['passed on']);
});

test('at once to a reader that waits for it, and when there is nothing', async () => {
  for (const text of ['end', undefined]) {
    const { out, read, seen, passedOn } = await begun();
    const reading = read();
    await settle();
    out.end(text, passedOn);
    expect(seen).toEqual(['passed on']);
    expect(await reading).toBe(text);
  }
});

test.each(['cancels', 'aborts'])('not when the caller %s before: then it has gone', async (how) => {
  const { out, reader, seen, passedOn, leaving } = await begun();
  out.end('b', passedOn);
  if (how === 'aborts') leaving.abort();
  else await reader.cancel();
  await settle();
  expect(seen).toEqual(['gone']);
  expect([out.write('late'), await out.drained()]).toEqual([false, undefined]);
});

test('nor when nothing is read for as long as the caller may take', async () => {
  const { out, read, seen } = await begun();
  expect(out.write('a'.repeat(20_000))).toBe(false);
  await world.advance(999);
  await read();
  // What has been read counts anew.
  await world.advance(1_000);
  expect([out.unsent, seen]).toEqual([false, []]);
  expect(out.write('b'.repeat(20_000))).toBe(false);
  await world.advance(999);
  expect([out.unsent, seen]).toEqual([true, []]);
  await world.advance(1);
  expect(seen).toEqual(['gone']);
  await expect(read()).rejects.toThrow('the request was aborted');
});

test('an end that nobody reads is not kept for ever', async () => {
  const { out, seen, passedOn } = await begun();
  out.end('b', passedOn);
  await world.advance(1_000);
  expect(seen).toEqual(['gone']);
});
