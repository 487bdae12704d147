import { assert, array, double, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cancel } from '../base/cancel.ts';
import type { JsonObject } from '../base/json.ts';
import { silent } from '../base/logger.ts';
import type { Revision } from '../model/types.ts';
import type { Caller, Exchange, Note } from '../ports/index.ts';
import { defaultValidator } from '../schema/validator.ts';
import { CallContext } from './call-context.ts';
import { HandlerRun } from './handler-run.ts';
import { LogLevels } from './log-levels.ts';
import { Runner } from './run.ts';
import { Sessions } from './session.ts';

/** A caller that takes what it is sent, until it is full. */
class Taker implements Exchange {
  readonly id = 1;
  readonly cancel = new Cancel();
  readonly caller: Caller;
  readonly taken: JsonObject[] = [];
  full = false;
  #drained: (() => void)[] = [];

  constructor(revision: Revision = '2026-07-28') {
    this.caller = { revision, capabilities: {} };
  }

  emit(note: Note): boolean {
    expect(note.method).toBe('notifications/progress');
    this.taken.push(JSON.parse(JSON.stringify(note.params)) as JsonObject);
    return !this.full;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  makeRoom(): void {
    this.full = false;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  get values(): unknown[] {
    return this.taken.map(({ progress }) => progress);
  }
}

const sessions = new Sessions();
const runner = new Runner({
  info: { name: 's', version: '1' },
  logger: silent,
  validator: defaultValidator,
  levels: new LogLevels(sessions),
  sessions,
});

const nothing = (): void => undefined;

function runOf(taker: Taker, meta?: unknown): HandlerRun {
  const call = { method: 'tools/call', params: meta === undefined ? {} : { _meta: meta } };
  return new HandlerRun(call, taker, { name: 't', args: {} }, nothing, runner);
}

const contextOf = (taker: Taker, meta?: unknown): CallContext => new CallContext(runOf(taker, meta));

describe('progress', () => {
  test.each([0, '', 'abc', 7, '7', -1])(
    '[BUG-090 PROG-002] the token %j comes back as it is',
    async (progressToken) => {
      const taker = new Taker();
      const context = contextOf(taker, { progressToken });
      await context.progress(0.5, 1, 'half');
      await context.progress(1, 1);
      expect(taker.taken).toEqual([
        { progressToken, progress: 0.5, total: 1, message: 'half' },
        { progressToken, progress: 1, total: 1 },
      ]);
    },
  );

  test.each([undefined, {}, { progressToken: undefined }])(
    '[BUG-090] without a token nothing is sent: %j',
    async (meta) => {
      const taker = new Taker();
      await contextOf(taker, meta).progress(1);
      expect(taker.taken).toEqual([]);
    },
  );

  test.each([null, 1.5, true, {}, ['t']])('nor for what is no token: %j', async (progressToken) => {
    const taker = new Taker('2025-11-25');
    await contextOf(taker, { progressToken }).progress(1);
    expect(taker.taken).toEqual([]);
  });

  test('[PROG-003] what does not rise is dropped', async () => {
    const taker = new Taker();
    const context = contextOf(taker, { progressToken: 1 });
    for (const value of [0, 0, 0.1, 0.1, 0.05, -1, 0.2, NaN, Infinity, -Infinity, 3, 2.9, 3, 1e9]) {
      await context.progress(value);
    }
    expect(taker.values).toEqual([0, 0.1, 0.2, 3, 1e9]);
  });

  test('[PROG-003] whatever a handler reports, the caller sees rising numbers', () => {
    assert(
      property(array(double()), (reported) => {
        const taker = new Taker();
        const context = contextOf(taker, { progressToken: 1 });
        for (const value of reported) void context.progress(value);
        const values = taker.values as number[];
        expect(values.every(Number.isFinite)).toBe(true);
        expect(values.every((value, at) => at === 0 || value > Number(values[at - 1]))).toBe(true);
      }),
    );
  });

  test('it may begin below zero', async () => {
    const taker = new Taker();
    const context = contextOf(taker, { progressToken: 1 });
    await context.progress(-5);
    await context.progress(-4.5);
    expect(taker.values).toEqual([-5, -4.5]);
  });

  test.each([NaN, Infinity])('a total of %d is not told', async (total) => {
    const taker = new Taker();
    await contextOf(taker, { progressToken: 1 }).progress(1, total);
    expect(taker.taken).toEqual([{ progressToken: 1, progress: 1 }]);
  });

  test('[PROG-004] when the handler is through there is no more', async () => {
    const taker = new Taker();
    const run = runOf(taker, { progressToken: 1 });
    const context = new CallContext(run);
    await context.progress(1);
    run.finish();
    await context.progress(2);
    expect(taker.values).toEqual([1]);
  });

  test('[PROG-005] a slow caller gets the newest, not all of it', async () => {
    const taker = new Taker();
    const context = contextOf(taker, { progressToken: 1 });
    taker.full = true;
    const waits = Array.from({ length: 1_000 }, (_, at) => context.progress(at));
    expect(taker.values).toEqual([0]);
    taker.makeRoom();
    await Promise.all(waits);
    expect(taker.values).toEqual([0, 999]);
    await context.progress(1_000);
    expect(taker.values).toEqual([0, 999, 1_000]);
  });

  test('[PROG-005] a handler that awaits keeps pace with the caller', async () => {
    const taker = new Taker();
    const context = contextOf(taker, { progressToken: 1 });
    taker.full = true;
    let through = false;
    const waiting = context.progress(1).then(() => {
      through = true;
    });
    await Promise.resolve();
    expect(through).toBe(false);
    taker.makeRoom();
    await waiting;
  });

  test('what waited for room goes out before the result, and nothing after it', async () => {
    const taker = new Taker();
    const run = runOf(taker, { progressToken: 1 });
    const context = new CallContext(run);
    taker.full = true;
    void context.progress(1);
    const late = context.progress(2);
    run.finish();
    expect(taker.values).toEqual([1, 2]);
    taker.makeRoom();
    await late;
    expect(taker.values).toEqual([1, 2]);
  });

  test('[SEED-171] it says whether the caller can hear of it', async () => {
    const asked = { progressToken: 1 };
    const taker = new Taker();
    const run = runOf(taker, asked);
    const context = new CallContext(run);
    expect([await context.progress(1), await context.progress(1), await context.progress(NaN)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await contextOf(new Taker()).progress(1)).toBe(false);
    run.finish();
    expect(await context.progress(2)).toBe(false);
    const deaf = Object.assign(new Taker(), { hears: false });
    expect([await contextOf(deaf, asked).progress(1), deaf.values]).toEqual([false, []]);
  });

  test('[SEED-171] a caller that is slow hears of it in the end; one that has gone meanwhile does not', async () => {
    for (const gone of [false, true]) {
      const taker = new Taker();
      const context = contextOf(taker, { progressToken: 1 });
      taker.full = true;
      const told = [context.progress(1), context.progress(2)];
      if (gone) taker.cancel.cancel('gone');
      taker.makeRoom();
      expect(await Promise.all(told)).toEqual([!gone, !gone]);
    }
  });
});

describe('the request', () => {
  test('[META-015] its `_meta` is handed on, reserved keys of others as well', () => {
    const meta = {
      progressToken: 5,
      traceparent: '00-a-b-01',
      tracestate: 'a=b',
      baggage: 'k=v',
      'com.example/own': [1],
    };
    expect(contextOf(new Taker(), meta).meta).toEqual(meta);
    expect(contextOf(new Taker()).meta).toEqual({});
    expect(contextOf(new Taker(), 5).meta).toEqual({});
  });

  test('its cancellation is a signal', () => {
    const taker = new Taker();
    const { signal } = contextOf(taker);
    expect(signal.aborted).toBe(false);
    taker.cancel.cancel('enough');
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
    expect(contextOf(taker).signal.aborted).toBe(true);
  });

  test('its caller is the one of the exchange', () => {
    const taker = new Taker();
    expect(contextOf(taker).caller).toBe(taker.caller);
  });
});
