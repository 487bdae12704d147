/** Questions end with the call they belong to: nothing of them is left behind. */
import { describe, expect, test } from 'vitest';
import { Cancel } from '../../src/base/cancel.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Call, Exchange, Link, Reply, Service } from '../../src/ports/index.ts';
import { inputRequired } from '../../src/server/rounds/input-required.ts';
import type { Context } from '../../src/server/context.ts';
import { Server } from '../../src/server/server.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { gate, nodeEndpoint, openSession } from '../support/http.ts';
import {
  accept,
  everything,
  legacyInbound,
  linkTo,
  observed,
  shakeHands,
  textOf,
  toolCall,
} from '../support/rounds.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const form = (message: string) =>
  ({ method: 'elicitation/create', params: { message, requestedSchema: schema } }) as const;
const decline = { action: 'decline' };

/** A caller who is asked: `answers` says what to, and the rest is left open. */
class Person implements Service {
  readonly asked: string[] = [];
  readonly takenBack: string[] = [];
  readonly #answers: Record<string, Reply>;
  #changed = gate();

  constructor(answers: Record<string, Reply>) {
    this.#answers = answers;
  }

  answer(call: Call, exchange: Exchange): Promise<Reply> {
    const message = String(call.params?.['message']);
    this.asked.push(message);
    exchange.cancel.onCancel(() => {
      this.takenBack.push(message);
      this.#changed.open();
    });
    const answer = this.#answers[message];
    this.#changed.open();
    return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
  }

  notice(): void {}

  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      await this.#changed.opened;
      this.#changed = gate();
    }
  }
}

/** A legacy session of a caller who is asked. */
async function meet(server: Server, over: 'direct' | 'pipe', answers: Record<string, Reply>) {
  const person = new Person(answers);
  const link = linkTo(server, over, person);
  await shakeHands(link, '2025-11-25');
  return { person, link };
}

/** One tool with a virtual clock. */
function serving(run: (ctx: Context) => unknown, options: JsonObject = {}) {
  const made = observed(options);
  made.server.tool('t', {}, async (_, ctx) => (await run(ctx)) as string);
  return made;
}

const both = (ctx: Context): Promise<unknown> =>
  Promise.all(['a', 'b'].map((key) => ctx.elicit(key, { message: key, schema })));

const calling = (link: Link, cancel?: Cancel): Promise<Reply> =>
  link.request({ method: 'tools/call', params: { name: 't', arguments: {} } }, { cancel });

describe.each(['direct', 'pipe'] as const)('a legacy question that outlives its call (%s)', (over) => {
  test.each<[string, (ctx: Context) => unknown, Reply, RegExp]>([
    ['one of two was declined', both, { result: decline }, /was declined/],
    ['one of two failed', both, { error: { code: -1, message: 'no' } }, /^no$/],
    [
      'one of two, of the low level, failed',
      () => inputRequired({ requests: { a: form('a'), b: form('b') } }),
      { error: { code: -1, message: 'no' } },
      /^no$/,
    ],
    [
      'nobody waited for it',
      async (ctx) => {
        void ctx.elicit('b', { message: 'b', schema }).catch(() => undefined);
        await ctx.tryElicit('a', { message: 'a', schema });
        return 'done';
      },
      { result: decline },
      /^done$/,
    ],
  ])('is taken back: %s', async (_, run, answer, text) => {
    const { server, clock } = serving(run);
    const { person, link } = await meet(server, over, { a: answer });
    for (let times = 1; times <= 3; times++) {
      const { result } = await calling(link);
      expect(textOf({ rounds: [], ...(result !== undefined && { result }) })).toMatch(text);
      await person.until(() => person.takenBack.length === times);
      expect(person.takenBack).toEqual(Array.from({ length: times }, () => 'b'));
      expect(clock.pending).toBe(0);
    }
  });

  test('when it is answered, nothing is taken back', async () => {
    const { server, clock } = serving(async (ctx) => JSON.stringify(await both(ctx)));
    const answer = { result: accept({ n: 1 }) };
    const { person, link } = await meet(server, over, { a: answer, b: answer });
    expect((await calling(link)).result).toMatchObject({ content: [{ text: '[{"n":1},{"n":1}]' }] });
    expect([person.asked, person.takenBack, clock.pending]).toEqual([['a', 'b'], [], 0]);
  });

  test('nor armed for, when the caller has given up, before or after it is asked', async () => {
    const second = gate<unknown>();
    const { server, clock } = serving(async (ctx) => {
      await ctx.elicit('a', { message: 'a', schema }).catch(() => undefined);
      second.open(await ctx.elicit('b', { message: 'b', schema }).catch((error: unknown) => error));
      return 'late';
    });
    const { person, link } = await meet(server, over, {});
    const cancel = new Cancel();
    const outcome = calling(link, cancel).catch(() => 'given up');
    await person.until(() => person.asked.length === 1);
    cancel.cancel(new Error('enough'));
    expect(await outcome).toBe('given up');
    expect(await second.opened).toMatchObject({ code: 'aborted' });
    expect([person.asked, clock.pending]).toEqual([['a'], 0]);
  });

  test('one that is asked when the handler has come to its end is not sent', async () => {
    const later = gate();
    const asked = gate<unknown>();
    const { server, clock } = serving((ctx) => {
      void later.opened.then(() => ctx.elicit('a', { message: 'a', schema }).catch(asked.open));
      return 'done';
    });
    const { person, link } = await meet(server, over, {});
    await calling(link);
    later.open();
    expect(await asked.opened).toMatchObject({ code: 'aborted' });
    expect([person.asked, clock.pending]).toEqual([[], 0]);
  });
});

test('nothing of it is left at the other end of a pipe', async () => {
  const { server } = serving(both);
  const { link } = await meet(server, 'pipe', { a: { result: decline } });
  for (let times = 0; times < 3; times++) await calling(link);
  // What was cancelled is still being served by somebody who does not listen.
  expect((link as Link & { open: number }).open).toBe(3);
});

test('in a session over HTTP the caller is told on the stream of the call, before its result', async () => {
  const { server, clock } = serving(both);
  const endpoint = await nodeEndpoint(server);
  const session = await openSession(endpoint, '2025-11-25', {}, everything);
  const stream = await endpoint.fly(session.call('t')).head;
  const questions = [await stream.message(), await stream.message()];
  await endpoint.send(session.post({ jsonrpc: '2.0', id: questions[0]?.['id'], result: decline }));
  expect(await stream.message()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: questions[1]?.['id'] },
  });
  expect(await stream.message()).toMatchObject({ result: { isError: true } });
  expect([await stream.message(), clock.pending]).toEqual([undefined, 0]);
});

test('Infinity is as long as it likes', async () => {
  const { server, clock } = serving(async (ctx) => String((await ctx.elicit('a', { message: 'a', schema }))['n']), {
    askTimeoutMs: Infinity,
  });
  const { link } = await meet(server, 'direct', { a: { result: accept({ n: 1 }) } });
  const called = calling(link);
  expect(clock.pending).toBe(0);
  expect((await called).result).toMatchObject({ content: [{ text: '1' }] });
});

describe('a modern question', () => {
  test('of a call that was cancelled rejects with its reason, also within a step', async () => {
    const seen: unknown[] = [];
    const asked = gate();
    const done = gate();
    const { server, clock } = serving(async (ctx) => {
      const note = (error: unknown): unknown => seen.push((error as { code?: unknown }).code);
      try {
        await ctx.step('s', async () => {
          await Promise.resolve();
          await Promise.resolve();
          const asking = ctx.elicit('a', { message: 'a', schema });
          asked.open();
          await asking.catch(note);
          await ctx.elicit('b', { message: 'b', schema }).catch(note);
        });
      } finally {
        done.open();
      }
      return 'late';
    });
    const cancel = new Cancel();
    const outcome = linkTo(server, 'direct')
      .request(toolCall('t'), { cancel })
      .catch(() => 'given up');
    await asked.opened;
    while (clock.pending === 0) await clock.settle();
    cancel.cancel(new Error('enough'));
    await done.opened;
    expect([await outcome, seen, clock.pending]).toEqual(['given up', ['aborted', 'aborted'], 0]);
  });

  test('that is asked when the handler has come to its end arms nothing, and fails', async () => {
    const later = gate();
    const asked = gate<unknown>();
    for (const first of [false, true]) {
      const { server, clock } = serving(async (ctx) => {
        if (first) await ctx.step('s', () => 1);
        void ctx.step('slow', () => new Promise(() => undefined));
        void later.opened.then(() => ctx.elicit('a', { message: 'a', schema }).catch(asked.open));
        return 'done';
      });
      expect((await linkTo(server, 'direct').request(toolCall('t'))).result).toMatchObject({ resultType: 'complete' });
      later.open();
      expect(await asked.opened).toMatchObject({ code: 'aborted' });
      await clock.settle();
      expect([clock.pending, clock.turning]).toEqual([0, 0]);
    }
  });

  test('leaves no timer behind, however its handler ends', async () => {
    const ways: ((ctx: Context) => unknown)[] = [
      (ctx) => ctx.elicit('a', { message: 'a', schema }),
      (ctx) => both(ctx).catch(() => 'swallowed'),
      // It asks again, and is held.
      (ctx) => both(ctx).catch(() => ctx.elicit('c', { message: 'c', schema })),
      // Questions wait for a step while the handler settles.
      async (ctx) => {
        void ctx.step('slow', () => new Promise(() => undefined));
        void ctx.elicit('a', { message: 'a', schema }).catch(() => undefined);
        await ctx.step('turn', () => nextTurn());
        return 'done';
      },
    ];
    for (const [at, way] of ways.entries()) {
      const { server, clock } = serving(way);
      const { result } = await linkTo(server, 'direct').request(toolCall('t'));
      expect(result, String(at)).toMatchObject({ resultType: at === 3 ? 'complete' : 'input_required' });
      expect(clock.pending, String(at)).toBe(0);
    }
  });

  test('tells a handler that still runs to stop, whether it had looked at its signal or not', async () => {
    for (const looks of [true, false]) {
      const seen = gate<unknown>();
      const { server, clock } = serving(async (ctx) => {
        if (looks) expect(ctx.signal.aborted).toBe(false);
        await ctx.elicit('a', { message: 'a', schema }).catch(() => clock.turn());
        await new Promise<void>((resolve) => {
          clock.after(1_500, resolve);
        });
        seen.open(ctx.signal.aborted);
      });
      const outcome = linkTo(server, 'direct').request(toolCall('t'));
      while (clock.pending < 2) await clock.settle();
      await clock.advance(1_500);
      expect([await seen.opened, (await outcome).result?.['resultType']]).toEqual([true, 'input_required']);
    }
  });
});

describe('a request that is refused for its answers', () => {
  const garbage = { inputResponses: { a: { nonsense: 1 } } };
  const refused = { code: -32602, message: 'inputResponses does not answer what was asked' };

  test.each<[string, (ctx: Context, ran: string[]) => Promise<unknown>]>([
    [
      'beside its question',
      (ctx, ran) => Promise.all([ctx.elicit('a', { message: 'a', schema }), ctx.step('s', () => void ran.push('s'))]),
    ],
    [
      'before its question',
      (ctx, ran) => Promise.all([ctx.step('s', () => void ran.push('s')), ctx.elicit('a', { message: 'a', schema })]),
    ],
    [
      'when it is known',
      async (ctx, ran) => {
        const asked = ctx.elicit('a', { message: 'a', schema });
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        return Promise.all([asked, ctx.step('s', () => void ran.push('s'))]);
      },
    ],
    [
      'after its question was swallowed',
      async (ctx, ran) => {
        await ctx.elicit('a', { message: 'a', schema }).catch(() => undefined);
        return ctx.step('s', () => void ran.push('s'));
      },
    ],
  ])('begins no step: %s', async (_, run) => {
    const ran: string[] = [];
    const { server, clock } = serving((ctx) => run(ctx, ran));
    const { error } = await linkTo(server, 'direct').request(toolCall('t', {}, garbage));
    await clock.settle();
    expect([error, ran, clock.pending]).toEqual([refused, [], 0]);
  });

  test('waits for the steps that run', async () => {
    const order: string[] = [];
    const { server, clock } = serving(async (ctx) => {
      const slow = ctx.step('slow', async () => {
        order.push('begun');
        await new Promise<void>((resolve) => {
          clock.after(50, resolve);
        });
        order.push('ended');
      });
      while (order.length === 0) await clock.turn();
      await Promise.all([slow, ctx.elicit('a', { message: 'a', schema })]);
    });
    const outcome = linkTo(server, 'direct')
      .request(toolCall('t', {}, garbage))
      .then(({ error }) => {
        order.push('answered');
        return error;
      });
    while (clock.pending === 0) await clock.settle();
    await clock.advance(50);
    expect([await outcome, order]).toEqual([refused, ['begun', 'ended', 'answered']]);
  });

  test('ends what it holds when its caller gives up', async () => {
    const failed = gate<unknown>();
    const running = gate();
    const { server, clock } = serving(async (ctx) => {
      const slow = ctx.step('slow', () => {
        running.open();
        return new Promise(() => undefined);
      });
      await running.opened;
      await Promise.all([slow, ctx.elicit('a', { message: 'a', schema })]).catch(failed.open);
    });
    const cancel = new Cancel();
    const outcome = linkTo(server, 'direct')
      .request(toolCall('t', {}, garbage), { cancel })
      .catch(() => 'given up');
    while (clock.pending === 0) await clock.settle();
    cancel.cancel(new Error('enough'));
    expect(await failed.opened).toMatchObject({ code: 'aborted' });
    expect([await outcome, clock.pending]).toEqual(['given up', 0]);
  });

  test('says so when the handler ends before all of that', async () => {
    const { server, clock, logger } = serving(async (ctx) => {
      const never = ctx.step('never', () => new Promise(() => undefined));
      void never;
      await clock.turn();
      void ctx.elicit('a', { message: 'a', schema }).catch(() => undefined);
      await clock.turn();
      return 'done';
    });
    const { error } = await linkTo(server, 'direct').request(toolCall('t', {}, garbage));
    expect([error, clock.pending]).toEqual([refused, 0]);
    expect(logger.of('warn')).toEqual(['the answer to "a" was no answer']);
  });
});

describe('a failure that nobody waits for', () => {
  test('is logged, but for suspensions, and ends nothing', async () => {
    const { server, logger } = serving(async (ctx) => {
      void ctx.step('fails', () => Promise.reject(new Error('lost')));
      void ctx.step('fails', () => 1);
      void ctx.step('caught', () => Promise.reject(new Error('known'))).catch(() => undefined);
      const later = ctx.step('later', () => Promise.reject(new Error('late')));
      await later.then(undefined, () => undefined);
      void ctx.elicit('', { message: 'a', schema });
      void ctx.elicit('a', { message: 'a', schema });
      await ctx.elicit('b', { message: 'b', schema });
    });
    expect((await linkTo(server, 'direct').request(toolCall('t'))).result).toMatchObject({
      resultType: 'input_required',
    });
    const told = logger.entries.filter(({ level }) => level === 'error');
    const codes = told.map(({ message, details }) => `${message}: ${String((details as { code: unknown }).code)}`);
    expect(codes.toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      't: "" failed, and nobody waited for it: bad_key',
      't: "fails" failed, and nobody waited for it: duplicate_key',
      't: "fails" failed, and nobody waited for it: step_failed',
    ]);
  });

  test('is none of that when somebody waits in any way', async () => {
    const { server, logger } = serving(async (ctx) => {
      const fail = (key: string): Promise<never> => ctx.step(key, () => Promise.reject(new Error('known')));
      await Promise.allSettled([fail('a'), fail('b')]);
      await Promise.race([fail('c'), new Promise(() => undefined)]).catch(() => undefined);
      await fail('d')
        .finally(() => undefined)
        .catch(() => undefined);
      try {
        await fail('e');
      } catch {
        // Known.
      }
      const returned = async (): Promise<never> => fail('f');
      await returned().catch(() => undefined);
      return 'done';
    });
    await linkTo(server, 'direct').request(toolCall('t'));
    expect(logger.of('error')).toEqual([]);
  });
});

test.each<[string, (ctx: Context) => Promise<unknown>]>([
  ['sample', (ctx) => ctx.sample('k', undefined as never)],
  ['elicit', (ctx) => ctx.elicit('k', undefined as never)],
  ['elicit without a schema', (ctx) => ctx.elicit('k', { message: 'm' } as never)],
])('%s without what it needs rejects', async (_, ask) => {
  const { server } = serving((ctx) => {
    const asked = ask(ctx);
    return asked.then(
      () => 'no error',
      (error: unknown) => String((error as { code: unknown }).code),
    );
  });
  expect((await linkTo(server, 'direct').request(toolCall('t'))).result).toMatchObject({
    content: [{ text: 'bad_argument' }],
  });
});

test('a handler sees nothing of its run but the context', async () => {
  const { server } = serving((ctx) => {
    const names: string[] = [];
    for (let at: object = ctx; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
      names.push(...Object.getOwnPropertyNames(at));
    return names.toSorted().join();
  });
  const { result } = await linkTo(server, 'direct').request(toolCall('t'));
  expect(result).toMatchObject({
    content: [
      {
        text: 'ask,caller,can,closeStream,constructor,elicit,log,meta,progress,responses,roots,sample,session,signal,state,step,tryElicit',
      },
    ],
  });
});

/** A server whose prompt and resource ask. */
function asking(): Server {
  const ask = async (ctx: Context): Promise<string> => String((await ctx.elicit('k', { message: 'm', schema }))['n']);
  return new Server({ name: 's', version: '1' })
    .prompt('x://p', {}, (_, ctx) => ask(ctx))
    .resource('x://p', { name: 'p' }, (_, ctx) => ask(ctx));
}

test.each(['prompts/get', 'resources/read'])('%s: a caller learns that nothing it answered fitted', async (method) => {
  const answering = legacyInbound(() => accept({ n: 'x' }));
  const link = linkTo(asking(), 'direct', answering);
  await shakeHands(link, '2025-11-25');
  const { error } = await link.request({ method, params: { name: 'x://p', uri: 'x://p' } });
  expect(error?.message).toMatch(/^4 answers to the question "k" did not fit/);
});

test.each(['prompts/get', 'resources/read'])('%s: a legacy caller learns why it cannot be asked', async (method) => {
  const link = linkTo(asking(), 'direct');
  await shakeHands(link, '2025-11-25', {});
  const { error } = await link.request({ method, params: { name: 'x://p', uri: 'x://p' } });
  expect(error).toEqual({
    code: -32603,
    message: 'the caller cannot be asked for forms for a person (elicitation): it did not declare it',
  });
});
