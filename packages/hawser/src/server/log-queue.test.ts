import { expect, test } from 'vitest';
import { Cancel } from '../base/cancel.ts';
import type { Exchange, Note } from '../ports/index.ts';
import { recorder } from '../../test/support/stdio.ts';
import { LogQueue } from './log-queue.ts';

/** A caller with room for so many messages until there is room again. */
class Slow implements Exchange {
  readonly id = 1;
  readonly cancel = new Cancel();
  readonly caller = { revision: '2026-07-28', capabilities: {} } as const;
  readonly taken: unknown[] = [];
  room: number;
  waits = 0;
  #drained: (() => void)[] = [];

  constructor(room = 0) {
    this.room = room;
  }
  emit({ params }: Note): boolean {
    this.taken.push(params?.['data']);
    return --this.room > 0;
  }
  drained(): Promise<void> {
    this.waits++;
    return new Promise((resolve) => this.#drained.push(resolve));
  }
  async makeRoom(room: number): Promise<void> {
    this.room = room;
    for (const resolve of this.#drained.splice(0)) resolve();
    await Promise.resolve();
  }
}

function queue(slow: Slow) {
  const log = recorder();
  const logs = new LogQueue(slow, 't', log);
  return { log, logs, say: (data: unknown) => logs.send({ level: 'info' }, data, JSON.stringify(data)) };
}

test('with room each goes at once; without, they wait for it, in order', async () => {
  const slow = new Slow(2);
  const { say, logs, log } = queue(slow);
  for (let n = 1; n <= 6; n++) say(n);
  expect(slow.taken).toEqual([1, 2]);
  await slow.makeRoom(2);
  expect(slow.taken).toEqual([1, 2, 3, 4]);
  say(7);
  await slow.makeRoom(10);
  expect(slow.taken).toEqual([1, 2, 3, 4, 5, 6, 7]);
  say(8);
  expect([slow.taken.at(-1), slow.waits]).toEqual([8, 2]);
  logs.flush();
  expect(log.entries).toEqual([]);
});

test('1,000 wait; past them the oldest goes, and the end says how many, once', async () => {
  for (const [count, dropped] of [
    [1_000, 0],
    [1_001, 1],
    [1_500, 500],
  ] as const) {
    const slow = new Slow();
    const { say, logs, log } = queue(slow);
    say('first');
    for (let n = 1; n <= count; n++) say(n);
    expect(slow.taken).toEqual(['first']);
    logs.flush();
    expect([slow.taken.length, slow.taken[1], slow.taken.at(-1)]).toEqual([1_001, dropped + 1, count]);
    expect(log.entries.map(({ level, details }) => [level, details])).toEqual(
      dropped === 0 ? [] : [['warn', { dropped }]],
    );
    logs.flush();
    expect(log.entries.length).toBe(Math.min(dropped, 1));
  }
});

test('1 Mi characters wait; past them the oldest goes, but never the newest', () => {
  const text = 'x'.repeat(1024 * 512 - 2);
  const slow = new Slow();
  const { say, logs } = queue(slow);
  say('first');
  for (const data of [text, text]) say(data);
  logs.flush();
  expect(slow.taken).toHaveLength(3);
  for (const data of [text, text, 1, `${text}${text}${text}`]) say(data);
  logs.flush();
  expect(slow.taken.slice(3).map((data) => String(data).length)).toEqual([text.length * 3]);
});

test('what is said is what it was then', async () => {
  const slow = new Slow();
  const { say } = queue(slow);
  const data = { step: 1 };
  say(data);
  say(data);
  data.step = 2;
  await slow.makeRoom(10);
  expect(slow.taken[1]).toEqual({ step: 1 });
});
