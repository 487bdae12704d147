import { describe, expect, test } from 'vitest';
import { recorder } from '../../test/support/stdio.ts';
import { VirtualClock } from '../testing/clock.ts';
import { nextTurn } from '../testing/settle.ts';
import { Watches, type OnWatch } from './watches.ts';

function watching(also?: OnWatch) {
  const signals = new Map<string, AbortSignal[]>();
  const logger = recorder();
  const watches = new Watches(
    (uri, watch) => {
      signals.set(uri, [...(signals.get(uri) ?? []), watch.signal]);
      return also?.(uri, watch);
    },
    new VirtualClock(),
    logger,
  );
  const seen = (uri: string): boolean[] => (signals.get(uri) ?? []).map(({ aborted }) => aborted);
  return { watches, seen, logger, signals };
}

describe('the first and the last who watch a resource', () => {
  test('are told of, each resource for itself, and the signal aborts with a reason', async () => {
    const { watches, seen, signals } = watching();
    watches.came('x:a');
    watches.came('x:b');
    // Not before whoever comes has been dealt with.
    expect(seen('x:a')).toEqual([]);
    await nextTurn();
    expect([seen('x:a'), seen('x:b')]).toEqual([[false], [false]]);
    watches.left('x:a');
    expect(seen('x:a')).toEqual([false]);
    await nextTurn();
    expect([seen('x:a'), seen('x:b'), watches.size]).toEqual([[true], [false], 1]);
    expect(signals.get('x:a')?.[0]?.reason).toMatchObject({ code: 'aborted' });
    watches.came('x:a');
    await nextTurn();
    expect(seen('x:a')).toEqual([true, false]);
  });

  test('one who comes back in the same turn was never away, and may go again', async () => {
    const { watches, seen } = watching();
    watches.came('x:a');
    await nextTurn();
    for (let time = 0; time < 3; time++) {
      watches.left('x:a');
      watches.came('x:a');
    }
    await nextTurn();
    expect(seen('x:a')).toEqual([false]);
    watches.left('x:a');
    watches.came('x:a');
    watches.left('x:a');
    await nextTurn();
    expect([seen('x:a'), watches.size]).toEqual([[true], 0]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('a hook that %s is in the log, and the watch goes on', async (_, hook) => {
    const { watches, seen, logger } = watching(hook);
    watches.came('x:a');
    await nextTurn();
    expect(logger.of('error')).toEqual(['onWatch failed']);
    watches.left('x:a');
    await nextTurn();
    expect(seen('x:a')).toEqual([true]);
  });

  test('one that fails because its watch is over is no news', async () => {
    const { watches, logger } = watching(
      (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    watches.came('x:a');
    await nextTurn();
    watches.left('x:a');
    await nextTurn();
    await nextTurn();
    expect(logger.entries).toEqual([]);
  });
});
