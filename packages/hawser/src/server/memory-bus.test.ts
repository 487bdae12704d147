import { expect, test, vi } from 'vitest';
import type { Bus } from '../ports/index.ts';
import { busContract } from '../testing/bus-contract.ts';
import { nextTurn } from '../testing/settle.ts';
import { memoryBus } from './memory-bus.ts';

{
  const bus = memoryBus();
  for (const { name, run } of busContract(() => bus)) test(`a bus in memory: ${name}`, run);
}

test('one function that is given twice hears it twice, and once when one of the two has left', async () => {
  const bus = memoryBus();
  const receive = vi.fn<(message: string) => void>();
  const leave = await bus.subscribe('t', receive);
  await bus.subscribe('t', receive);
  await bus.publish('t', 'first');
  expect(receive).toHaveBeenCalledTimes(2);
  await leave();
  await bus.publish('t', 'second');
  expect(receive).toHaveBeenCalledTimes(3);
});

test('the contract fails a bus that keeps nothing of it', async () => {
  const deaf: Bus = { publish: async () => undefined, subscribe: async () => async () => undefined };
  const loud = memoryBus();
  const everywhere: Bus = {
    publish: (_: string, message: string) => loud.publish('all', message),
    subscribe: async (_: string, receive: (message: string) => void) => {
      await loud.subscribe('all', receive);
      return async () => undefined;
    },
  };
  const failed = async (bus: Bus): Promise<string[]> => {
    const names: string[] = [];
    for (const { name, run } of busContract(() => bus))
      // What has not come within a turn never comes: nothing here takes longer.
      if ((await Promise.race([run().then(() => 'kept', String), nextTurn()])) !== 'kept') names.push(name);
    return names;
  };
  expect(await failed(deaf)).toHaveLength(4);
  expect(await failed(everywhere)).toHaveLength(3);
});
