import { afterEach, beforeEach } from 'vitest';
import { World } from '../../src/testing/world.ts';
import { collectRejections, takeRejections } from './rejections.ts';

/**
 * A world per test. After each test that has passed, what is due is run and the world has to be idle.
 *
 * ```ts
 * const world = useWorld();
 * test('…', async () => {
 *   await world.advance(1_000);
 * });
 * ```
 *
 * @returns stands for the world of the test that runs; usable inside tests and hooks only
 */
export function useWorld(options?: ConstructorParameters<typeof World>[0]): World {
  let current: World | undefined;
  collectRejections();

  beforeEach(() => {
    takeRejections();
    current = new World(options);
  });

  afterEach(async ({ task }) => {
    const world = current;
    current = undefined;
    if (world === undefined || task.result?.state === 'fail') return;
    await world.settle();
    world.rejections.push(...takeRejections());
    world.assertIdle();
  });

  // Only the handler is asked, and it answers with the members of a world.
  return new Proxy({} as World, {
    get(_, name) {
      if (current === undefined) throw new Error('useWorld: there is a world while a test runs only');
      const member: unknown = Reflect.get(current, name);
      return typeof member === 'function' ? (member.bind(current) as unknown) : member;
    },
  });
}
