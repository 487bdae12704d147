import { describe, expect, test } from 'vitest';
import { Cancel } from '../base/cancel.ts';
import type { Exchange, Link, Note, Reply, Service } from '../ports/index.ts';
import { settle } from '../testing/settle.ts';
import { failureOf, modernMeta } from '../../test/support/stdio.ts';
import { directLink } from './direct.ts';

type Open = Link & { readonly open: number };
const nobody: Service = { answer: () => Promise.resolve({ result: { asked: true } }), notice: () => {} };

function joined(handle: Service['answer'], inbound: Partial<Service> = {}, notice: Service['notice'] = () => {}): Open {
  return directLink({ answer: handle, notice }, { ...nobody, ...inbound }) as Open;
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

const call = (params: object = {}, method = 'tools/call') => ({ method, params: { ...params, _meta: modernMeta } });
const hello = (protocolVersion: string) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});

describe('what passes', () => {
  test('neither side can reach into the objects of the other', async () => {
    const args = { list: [1] };
    const result = { content: [] as unknown[] };
    let seen: unknown;
    const link = joined(({ params }) => {
      seen = params?.['arguments'];
      (seen as typeof args).list.push(2);
      return Promise.resolve({ result });
    });
    const reply = await link.request(call({ arguments: args }));
    expect([args, seen]).toEqual([{ list: [1] }, { list: [1, 2] }]);
    const content = reply.result?.['content'];
    if (Array.isArray(content)) content.push('x');
    expect(content).toEqual(['x']);
    expect(result).toEqual({ content: [] });
  });

  test('notices are copies as well', async () => {
    const notes: Note[] = [];
    const sent = { method: 'notifications/progress', params: { progress: 1 } };
    const link = joined((_, exchange) => {
      exchange.emit(sent);
      sent.params.progress = 2;
      return Promise.resolve({ result: {} });
    });
    await link.request(call(), { emit: (note) => notes.push(note) });
    expect(notes).toEqual([{ method: 'notifications/progress', params: { progress: 1 } }]);
  });

  test('what passes is what JSON makes of it: arguments, notices, questions and their answers', async () => {
    const odd = { date: new Date(0), no: undefined, nan: NaN, fn: () => 1, list: [undefined], at: new Map([[1, 2]]) };
    const even = { date: '1970-01-01T00:00:00.000Z', nan: null, list: [null], at: {} };
    const seen: unknown[] = [];
    const link = joined(
      async ({ params }, { ask }) => {
        seen.push(params?.['arguments']);
        return { result: { asked: await ask?.({ method: 'roots/list', params: odd }) } };
      },
      {
        answer: ({ params }) => {
          seen.push(params);
          return Promise.resolve({ result: odd });
        },
      },
      (note) => seen.push(note.params),
    );
    await link.request(hello('2025-11-25'));
    seen.length = 0;
    const reply = await link.request({ method: 'tools/call', params: { arguments: odd } });
    expect(reply).toEqual({ result: { asked: { result: even } } });
    await link.notify({ method: 'notifications/x', params: odd });
    expect(seen).toEqual([even, even, even]);
    // `toEqual` takes a member that is undefined for one that is not there.
    expect(seen.map((each) => Object.keys(each as object))).toEqual([0, 1, 2].map(() => Object.keys(even)));
  });

  test.each<[string, unknown]>([
    ['a BigInt', 1n],
    ['a cycle', cycle],
  ])('%s in arguments, notifications and questions fails here', async (_, value) => {
    let asked: unknown;
    const link = joined(async (_call, { ask }) => {
      asked = await (ask && failureOf(ask({ method: 'roots/list', params: { value } })));
      return { result: {} };
    });
    const wrong = { code: 'bad_argument', origin: 'local', outcome: 'not-sent' };
    const message = expect.stringContaining('cannot be written as JSON') as unknown;
    await link.request(hello('2025-11-25'));
    expect(await failureOf(link.request(call({ arguments: { value } })))).toMatchObject({ ...wrong, message });
    expect(await failureOf(link.notify({ method: 'x', params: { value } }))).toMatchObject({ ...wrong, message });
    await link.request({ method: 'tools/call', params: {} });
    expect(asked).toMatchObject({ ...wrong, message });
  });

  test('whoever breaks over a question is an internal error to the server', async () => {
    let asked: unknown;
    const link = joined(
      async (_, { ask }) => {
        asked = await ask?.({ method: 'roots/list' });
        return { result: {} };
      },
      { answer: () => Promise.reject(new Error('hunter2')) },
    );
    await link.request(hello('2025-11-25'));
    await link.request({ method: 'tools/call', params: {} });
    expect(asked).toEqual({ error: { code: -32_603, message: 'internal error' } });
  });

  test('arguments that JSON cannot carry fail here; a result that JSON cannot carry is an internal error', async () => {
    let calls = 0;
    const link = joined(() => {
      calls++;
      return Promise.resolve({ result: { big: 1n } });
    });
    const failed = failureOf(link.request(call({ arguments: { big: 1n } })));
    expect(await failed).toMatchObject({ code: 'bad_argument', outcome: 'not-sent' });
    expect(calls).toBe(0);
    expect(await link.request(call())).toMatchObject({ error: { code: -32_603 } });
    expect(link.open).toBe(0);
  });

  test.each<[string, Service['answer']]>([
    ['rejects', () => Promise.reject(new Error('hunter2'))],
    [
      'throws',
      () => {
        throw new Error('hunter2');
      },
    ],
  ])('a service that %s is an internal error, without its text', async (_, handle) => {
    const link = joined(handle);
    const reply = await link.request(call());
    expect(reply).toMatchObject({ error: { code: -32_603 } });
    expect(JSON.stringify(reply)).not.toContain('hunter2');
    expect(link.open).toBe(0);
  });
});

describe('cancellation', () => {
  test('after the reply it reaches nobody: what still works then is not stopped', async () => {
    let exchange: Exchange | undefined;
    const link = joined((_, given) => {
      exchange = given;
      return Promise.resolve({ result: {} });
    });
    const cancel = new Cancel();
    await link.request(call(), { cancel });
    cancel.cancel('late');
    expect([exchange?.cancel.cancelled, exchange?.cancel.signal.aborted]).toEqual([false, false]);
  });

  test('[CAN-001 CAN-005] the handler is told, the call rejects at once, and nothing more comes of it', async () => {
    let exchange: Exchange | undefined;
    let answer: (reply: Reply) => void = () => {};
    const notes: Note[] = [];
    const link = joined((_, given) => {
      exchange = given;
      return new Promise((resolve) => (answer = resolve));
    });
    const cancel = new Cancel();
    const failed = failureOf(link.request(call(), { cancel, emit: (note) => notes.push(note) }));
    await settle();
    cancel.cancel('enough');
    expect(await failed).toMatchObject({ code: 'aborted', outcome: 'unknown', cause: 'enough' });
    expect(exchange?.cancel.reason).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(exchange?.emit({ method: 'x' })).toBe(false);
    answer({ result: {} });
    await settle();
    expect([notes, link.open]).toEqual([[], 0]);
  });

  test('before it is sent: it is not', async () => {
    let calls = 0;
    const link = joined(() => Promise.resolve({ result: { n: ++calls } }));
    const cancel = new Cancel();
    cancel.cancel('early');
    expect(await failureOf(link.request(call(), { cancel }))).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    expect(calls).toBe(0);
  });

  test('[PROG-004] after the reply nothing is told', async () => {
    let exchange: Exchange | undefined;
    const notes: Note[] = [];
    const link = joined((_, given) => {
      exchange = given;
      return Promise.resolve({ result: {} });
    });
    await link.request(call(), { emit: (note) => notes.push(note) });
    await settle();
    expect(exchange?.emit({ method: 'x' })).toBe(false);
    expect(notes).toEqual([]);
  });
});

describe('the end', () => {
  test('stops what runs, rejects what waits, and takes nothing more', async () => {
    const reasons: unknown[] = [];
    const link = joined((_, { cancel }) => {
      cancel.onCancel((reason) => reasons.push(reason));
      return new Promise(() => {});
    });
    const failed = [1, 2].map(() => failureOf(link.request(call())));
    await settle();
    await Promise.all([link.close(), link.close()]);
    for (const error of await Promise.all(failed))
      expect(error).toMatchObject({ code: 'connection', outcome: 'unknown' });
    expect(reasons).toHaveLength(2);
    expect(await link.closed).toEqual({ by: 'us' });
    expect(await failureOf(link.request(call()))).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    await link.notify({ method: 'notifications/x' });
    expect(link.open).toBe(0);
  });
});

describe('eras', () => {
  test('[BASE-023] a modern caller cannot be asked, a legacy one can', async () => {
    const asks: unknown[] = [];
    const link = joined(async ({ method }, { ask }) => {
      if (method === 'tools/call') asks.push(await ask?.({ method: 'roots/list' }));
      return { result: {} };
    });
    await link.request(call());
    await link.request(hello('2025-11-25'));
    await link.request({ method: 'tools/call', params: {} });
    expect(asks).toEqual([undefined, { result: { asked: true } }]);
  });

  test('[VER-011] no session, no legacy request; a second initialize is refused', async () => {
    const revisions: string[] = [];
    const link = joined((_, { caller }) => {
      revisions.push(caller.revision);
      return Promise.resolve({ result: {} });
    });
    expect(await link.request({ method: 'tools/list' })).toMatchObject({ error: { code: -32_602 } });
    await link.request(hello('2025-03-26'));
    await link.request({ method: 'tools/list' });
    await link.request(call());
    expect(await link.request(hello('2025-11-25'))).toMatchObject({ error: { code: -32_600 } });
    await link.request({ method: 'tools/list' });
    expect(revisions).toEqual(['2025-03-26', '2025-03-26', '2026-07-28', '2025-03-26']);
  });

  test('a session is pushed to once it is ready, by one standing subscription', async () => {
    const standing: Exchange[] = [];
    const notes: Note[] = [];
    const link = joined(
      (_, exchange) => {
        if (exchange.standing !== true) return Promise.resolve({ result: {} });
        standing.push(exchange);
        return new Promise(() => {});
      },
      { notice: (note) => void notes.push(note) },
    );
    await link.request(hello('2025-11-25'));
    expect(standing).toHaveLength(0);
    await link.notify({ method: 'notifications/initialized' });
    await link.notify({ method: 'notifications/initialized' });
    expect(standing).toHaveLength(1);
    standing[0]?.emit({ method: 'notifications/tools/list_changed' });
    expect(notes).toEqual([{ method: 'notifications/tools/list_changed' }]);
    await link.close();
    expect(standing[0]?.emit({ method: 'late' })).toBe(false);
    expect(notes).toHaveLength(1);
  });

  test('a notice that breaks the service stays over there', async () => {
    const link = joined(
      () => Promise.resolve({ result: {} }),
      {},
      () => {
        throw new Error('oops');
      },
    );
    await link.request(hello('2025-11-25'));
    await link.notify({ method: 'notifications/x' });
  });
});
