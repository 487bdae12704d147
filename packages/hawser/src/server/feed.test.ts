import { describe, expect, test } from 'vitest';
import { recorder } from '../../test/support/stdio.ts';
import type { Bus } from '../ports/index.ts';
import { VirtualClock } from '../testing/clock.ts';
import { nextTurn } from '../testing/settle.ts';
import { Feed, type Change } from './feed.ts';
import { memoryBus } from './memory-bus.ts';

const topic = 'hawser:s:changes';

interface Asked {
  resolve(): void;
  reject(error: Error): void;
}

/** A bus whose answers are given by hand. */
class BusByHand implements Bus {
  readonly published: string[] = [];
  /** What to do with each `subscribe` and `publish`, in turn; then: settle. */
  readonly subscribing: Asked[] = [];
  readonly publishing: Asked[] = [];
  byHand = false;
  readonly receivers = new Set<(message: string) => void>();
  left = 0;

  async publish(_: string, message: string): Promise<void> {
    this.published.push(message);
    if (this.byHand) await this.#asked(this.publishing);
  }

  async subscribe(_: string, receive: (message: string) => void): Promise<() => Promise<void>> {
    if (this.byHand) await this.#asked(this.subscribing);
    this.receivers.add(receive);
    return async () => {
      this.left++;
      this.receivers.delete(receive);
    };
  }

  #asked(those: Asked[]): Promise<void> {
    return new Promise((resolve, reject) => {
      those.push({ resolve, reject });
    });
  }

  tell(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    for (const receive of this.receivers) receive(text);
  }
}

function feeding(bus: Bus, seed = 1) {
  const told: Change[] = [];
  const clock = new VirtualClock({ seed });
  const logger = recorder();
  const feed = new Feed(bus, topic, (change) => told.push(change), clock, logger);
  return { feed, told, clock, logger };
}

describe('a feed', () => {
  test('tells the others and not itself', async () => {
    const bus = memoryBus();
    const [one, other] = [feeding(bus, 1), feeding(bus, 2)];
    await Promise.all([one.feed.hold(), other.feed.hold()]);
    one.feed.publish({ list: 'tools' });
    one.feed.publish({ uri: 'x:a' });
    await nextTurn();
    expect([one.told, other.told]).toEqual([[], [{ list: 'tools' }, { uri: 'x:a' }]]);
  });

  test('is subscribed with the first who listens, once, and left with the last', async () => {
    const bus = new BusByHand();
    const { feed, told } = feeding(bus);
    await Promise.all([feed.hold(), feed.hold()]);
    expect(bus.receivers.size).toBe(1);
    bus.tell({ from: 'x', list: 'prompts' });
    feed.release();
    bus.tell({ from: 'x', uri: 'x:a' });
    expect([told, bus.receivers.size]).toEqual([[{ list: 'prompts' }, { uri: 'x:a' }], 1]);
    feed.release();
    await nextTurn();
    expect(bus.receivers.size).toBe(0);
    await feed.hold();
    expect(bus.receivers.size).toBe(1);
  });

  test.each(['', 'nothing', '[]', 'null', '"x"', '['.repeat(10_000)])(
    'what is no change is passed over: %j',
    async (text) => {
      const bus = new BusByHand();
      const { feed, told, logger } = feeding(bus);
      await feed.hold();
      bus.tell(text);
      bus.tell({ from: 'x', list: 'tools' });
      expect(told).toEqual([{ list: 'tools' }]);
      expect(logger.of('warn')).toEqual(['the bus brought what is no change']);
    },
  );

  test.each([{}, { list: 'tasks' }, { uri: 'nothing' }, { uri: 5 }, { list: ['tools'] }])(
    'a change of an unknown kind is no news: %j',
    async (change) => {
      const bus = new BusByHand();
      const { feed, told, logger } = feeding(bus);
      await feed.hold();
      bus.tell({ from: 'x', ...change });
      expect([told, logger.of('warn'), logger.of('error')]).toEqual([[], [], []]);
    },
  );

  test('who listens waits for the bus, five seconds at most', async () => {
    const bus = new BusByHand();
    bus.byHand = true;
    const { feed, clock } = feeding(bus);
    let held = 0;
    void feed.hold().then(() => held++);
    void feed.hold().then(() => held++);
    await clock.advance(4_999);
    expect(held).toBe(0);
    await clock.advance(1);
    expect(held).toBe(2);
    void feed.hold().then(() => held++);
    bus.subscribing[0]?.resolve();
    await nextTurn();
    expect([held, bus.receivers.size, clock.pending]).toEqual([3, 1, 0]);
  });

  test('a bus that answers after the last has gone is left again, and what it brings is nothing', async () => {
    const bus = new BusByHand();
    bus.byHand = true;
    const { feed, told } = feeding(bus);
    void feed.hold();
    feed.release();
    void feed.hold();
    expect(bus.subscribing).toHaveLength(2);
    bus.subscribing[0]?.resolve();
    bus.subscribing[1]?.resolve();
    await nextTurn();
    expect([bus.left, bus.receivers.size]).toEqual([1, 1]);
    bus.tell({ from: 'x', list: 'tools' });
    expect(told).toEqual([{ list: 'tools' }]);
  });

  test('what a bus brings until it is left is nothing', async () => {
    const bus = new BusByHand();
    const { feed, told } = feeding(bus);
    await feed.hold();
    const [receive] = bus.receivers;
    feed.release();
    await feed.hold();
    receive?.('{"from":"x","list":"tools"}');
    expect(told).toEqual([]);
  });

  test('a bus that cannot be subscribed to is tried again, while somebody listens', async () => {
    const bus = new BusByHand();
    bus.byHand = true;
    const { feed, clock, logger } = feeding(bus);
    const holding = feed.hold();
    bus.subscribing[0]?.reject(new Error('down'));
    await holding;
    expect(logger.of('error')).toEqual(['changes of other processes cannot be heard']);
    await clock.advance(5_000);
    expect(bus.subscribing).toHaveLength(2);
    bus.subscribing[1]?.reject(new Error('down'));
    await nextTurn();
    feed.release();
    await clock.advance(60_000);
    expect([bus.subscribing.length, clock.pending]).toEqual([2, 0]);
  });

  test('changes that cannot be published are logged once, until it works again', async () => {
    const bus = new BusByHand();
    bus.byHand = true;
    const { feed, logger } = feeding(bus);
    const fail = async (): Promise<void> => {
      feed.publish({ list: 'tools' });
      bus.publishing.pop()?.reject(new Error('down'));
      await nextTurn();
    };
    await fail();
    await fail();
    expect(logger.of('error')).toEqual(['changes could not be published']);
    feed.publish({ list: 'tools' });
    bus.publishing.pop()?.resolve();
    await nextTurn();
    await fail();
    expect(logger.of('error')).toHaveLength(2);
  });

  test('a bus that takes nothing has a thousand to take, and no more', () => {
    const bus = new BusByHand();
    bus.byHand = true;
    const { feed, logger } = feeding(bus);
    for (let at = 0; at < 1_001; at++) feed.publish({ uri: `x:${at}` });
    expect(bus.published).toHaveLength(1_000);
    expect(logger.of('error')).toEqual(['the bus does not take changes as fast as they come']);
  });

  test('a bus that throws is one that rejects', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const { feed, logger } = feeding({ publish: broken, subscribe: broken });
    feed.publish({ list: 'tools' });
    await feed.hold();
    feed.release();
    expect(logger.of('error')).toHaveLength(2);
  });
});
