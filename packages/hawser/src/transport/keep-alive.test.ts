import { expect, test } from 'vitest';
import { useWorld } from '../../test/support/world.ts';
import { defaultKeepAliveMs, KeepAlive } from './keep-alive.ts';

const world = useWorld();

/** A stream that notes what is written. */
class Stream {
  written: string[] = [];
  unsent = false;
  awaited = 0;
  awaitReader(): void {
    this.awaited++;
  }
  write(text: string): boolean {
    this.written.push(text);
    return true;
  }
}

test('every open stream gets a comment at every interval, and none after it has ended', async () => {
  const keepAlive = new KeepAlive(world.clock, 1_000);
  const [one, two] = [new Stream(), new Stream()];
  keepAlive.add(one);
  await world.advance(999);
  expect(one.written).toEqual([]);
  await world.advance(1);
  expect(one.written).toEqual([': keep-alive\n\n']);
  keepAlive.add(two);
  await world.advance(1_000);
  keepAlive.delete(one);
  await world.advance(1_000);
  expect([one.written.length, two.written.length]).toEqual([2, 2]);
  keepAlive.delete(two);
  // The timer finds nobody, and is not set again.
  await world.advance(1_000);
});

test('a stream that nobody reads gets none until what it has is read', async () => {
  const keepAlive = new KeepAlive(world.clock, 1_000);
  const stream = new Stream();
  keepAlive.add(stream);
  await world.advance(1_000);
  stream.unsent = true;
  await world.advance(10_000);
  expect([stream.written.length, stream.awaited]).toEqual([1, 10]);
  stream.unsent = false;
  await world.advance(2_000);
  expect(stream.written).toHaveLength(3);
  keepAlive.close();
});

test('closed, or told never, it sets no timer', async () => {
  const never = new KeepAlive(world.clock, Infinity);
  never.add(new Stream());
  const keepAlive = new KeepAlive(world.clock, defaultKeepAliveMs);
  const stream = new Stream();
  keepAlive.add(stream);
  keepAlive.close();
  await world.advance(60_000);
  expect(stream.written).toEqual([]);
});
