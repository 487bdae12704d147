/** Handlers of tools that do what they should not, and tools that come and go while calls run. */
import { describe, expect, test } from 'vitest';
import { ArgumentError, McpError, RpcError } from '../../src/base/errors.ts';
import { Server } from '../../src/server/server.ts';
import type { Context } from '../../src/server/context.ts';
import { doors, call, gate, metaOf } from '../support/http.ts';
import {
  clientByHand,
  everyLink,
  links,
  modernRevisions,
  openLink,
  overEveryLink,
  standingLinks,
} from '../support/links.ts';
import { rpcOf } from '../support/rpc.ts';
import { recorder, type Recorder } from '../support/stdio.ts';

/** A server whose log is kept. */
function logging(): { server: Server; logged: { message: string; details: unknown }[] } {
  const logged: { message: string; details: unknown }[] = [];
  const error = (message: string, details?: unknown): void => void logged.push({ message, details });
  const logger = { debug() {}, info() {}, warn() {}, error };
  return { server: new Server({ name: 's', version: '1', logger }), logged };
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

describe('what a handler throws is the failure of its tool', () => {
  const thrown: Record<string, [unknown, string]> = {
    error: [new Error('no such city'), 'no such city'],
    text: ['just text', 'just text'],
    nothing: [undefined, 'the tool failed'],
    null: [null, 'the tool failed'],
    object: [{ message: 'told' }, 'told'],
    mcp: [new McpError('mine', 'an error of the library'), 'an error of the library'],
    rpc: [new RpcError({ code: -32001, message: 'of somebody else' }), 'of somebody else'],
    cause: [new Error('outside', { cause: new Error('hunter2') }), 'outside'],
  };
  const throwing = (): Server => {
    const { server } = logging();
    for (const [name, [error]] of Object.entries(thrown)) {
      server.tool(`${name}, at once`, {}, () => {
        throw error;
      });
      server.tool(`${name}, later`, {}, async () => {
        await Promise.resolve();
        throw error;
      });
    }
    return server;
  };

  overEveryLink('[TOOL-021] by its text', { server: throwing }, async ({ client }) => {
    for (const [name, [, text]] of Object.entries(thrown)) {
      for (const when of ['at once', 'later']) {
        const result = await client.callTool(`${name}, ${when}`);
        expect([result.isError, result.content], name).toEqual([true, [{ type: 'text', text }]]);
      }
    }
  });
});

describe('what a tool throws can be found in the log', () => {
  const failing = (error: unknown): { server: Server; log: Recorder } => {
    const log = recorder();
    const server = new Server({ name: 's', version: '1', logger: log });
    server.tool('t', {}, () => {
      throw error;
    });
    return { server, log };
  };

  test.each<['debug' | 'error', string, unknown]>([
    ['debug', 'a failure on purpose', new Error('no such city')],
    ['debug', 'an error of the library', new McpError('mine', 'of the library')],
    ['debug', 'no error at all', 'text'],
    ['debug', 'nothing', undefined],
    ['error', 'a TypeError', new TypeError('x is undefined')],
    ['error', 'a ReferenceError', new ReferenceError('x is not defined')],
    ['error', 'a RangeError', new RangeError('too deep')],
    ['error', 'an error of another realm', { name: 'TypeError', message: 'x' }],
    ['error', 'misuse of the library', new ArgumentError('the schema is no form')],
  ])('at %s: %s', async (level, _, error) => {
    const { server, log } = failing(error);
    const client = await openLink('direct', '2026-07-28', server);
    await client.callTool('t');
    expect(log.entries).toEqual([{ level, message: 'tool "t" failed', details: error }]);
  });

  test('a key that is used twice is misuse', async () => {
    const { server, log } = failing(undefined);
    server.tool('twice', {}, async (_, ctx) => {
      await ctx.step('k', () => 1);
      await ctx.step('k', () => 2);
    });
    const client = await openLink('direct', '2026-07-28', server);
    await client.callTool('twice');
    expect(log.of('error')).toEqual(['tool "twice" failed']);
  });
});

describe('what a handler gives back that is no result is the fault of the server', () => {
  const returned: Record<string, unknown> = {
    number: 5,
    boolean: false,
    null: null,
    bigint: 5n,
    function: () => 'a',
    symbol: Symbol('s'),
    data: { city: 'hunter2' },
    'no type': [{ text: 'hunter2' }],
    'no content': [{ type: 'video', data: '' }],
    'a cycle': { structured: cycle },
    'a bigint within': { structured: { n: 5n } },
    'a cycle in _meta': { text: 'a', _meta: cycle },
    'a structured function': { structured: () => 'a' },
    'what throws when it is written': {
      structured: {
        toJSON() {
          throw new Error('hunter2');
        },
      },
    },
  };
  const { server, logged } = logging();
  for (const [name, value] of Object.entries(returned)) server.tool(name, {}, () => value as never);

  overEveryLink(
    '[TOOL-020 BASE-029] -32603, and its log alone says why',
    { server: () => server },
    async ({ client }) => {
      for (const name of Object.keys(returned)) {
        logged.length = 0;
        const error = await rpcOf(client.callTool(name));
        expect(error, name).toEqual({
          code: -32603,
          message: `tool "${name}" gave an invalid result: the server's log says why`,
        });
        expect(logged, name).toEqual([
          { message: expect.stringMatching(`^tool "${name}": .+`) as unknown, details: logged[0]?.details },
        ]);
      }
    },
  );

  for (const [name, structured] of Object.entries({ bigint: 5n, cycle }))
    overEveryLink(
      `text beside it makes it no better, for callers who would get it: a ${name}`,
      {
        server: () => logging().server.tool('t', {}, () => ({ text: 'a', structured })),
        revisions: modernRevisions,
      },
      async ({ client }) => {
        expect(await rpcOf(client.callTool('t'))).toMatchObject({ code: -32603 });
      },
    );

  test('a check that breaks is no less', async () => {
    const { server, logged } = logging();
    const breaking = {
      '~standard': {
        version: 1,
        vendor: 'tiny',
        validate: (value: unknown) =>
          (value as { later?: boolean }).later === true ? Promise.reject(new Error('hunter2')) : fail('hunter2'),
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
      },
    } as const;
    server.tool('in', { input: breaking }, () => 'a');
    server.tool('out', { output: breaking }, (args) => ({ structured: args }));
    server.tool('out later', { output: breaking }, () => ({ structured: { later: true } }));
    const client = await openLink('pipe', '2026-07-28', server);
    for (const request of [
      client.callTool('in'),
      client.callTool('in', { later: true }),
      client.callTool('out'),
      client.callTool('out later'),
    ])
      expect(await rpcOf(request)).toEqual({ code: -32603, message: "internal error: the server's log says more" });
    expect(logged).toHaveLength(4);
  });
});

function fail(message: string): never {
  throw new Error(message);
}

describe('a library that takes its time', () => {
  const slow = {
    '~standard': {
      version: 1,
      vendor: 'tiny',
      validate: async (value: unknown) => {
        await Promise.resolve();
        const { n } = value as { n?: unknown };
        return typeof n === 'number' ? { value: { n: n * 2 } } : { issues: [{ message: 'no number', path: ['n'] }] };
      },
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  } as const;

  overEveryLink(
    'is waited for, on both sides',
    { server: () => logging().server.tool('t', { input: slow, output: slow }, (args) => ({ structured: args })) },
    async ({ client, revision }) => {
      expect((await client.callTool('t', { n: 5 })).text).toBe('{"n":20}');
      const refused = client.callTool('t', { n: 'five' });
      if (revision === '2026-07-28' || revision === '2025-11-25')
        expect((await refused).text).toContain('/n: no number');
      else expect(await rpcOf(refused)).toMatchObject({ code: -32602 });
    },
  );
});

describe('a call that is cancelled', () => {
  test.each(everyLink({ links: standingLinks }))(
    '[CAN-001 CAN-005] its handler hears of it, and what it gives back afterwards goes nowhere ($link, $revision)',
    async ({ link, revision }) => {
      const { server, logged } = logging();
      const started = gate();
      const aborted = gate();
      const returned = gate();
      server.tool('slow', {}, async (_, { signal, progress }) => {
        signal.addEventListener('abort', () => aborted.open());
        started.open();
        await aborted.opened;
        await progress(1);
        returned.open();
        return 'too late';
      });
      server.tool('quick', {}, () => 'in time');
      const client = await openLink(link, revision, server);
      const giving = new AbortController();
      const slow = client.callTool('slow', {}, { signal: giving.signal });
      await started.opened;
      giving.abort('enough');
      await expect(slow).rejects.toMatchObject({ code: 'aborted' });
      await returned.opened;
      expect((await client.callTool('quick')).text).toBe('in time');
      expect(logged).toEqual([]);
    },
  );

  test('[CAN-005] one whose handler never ends leaves the pipe as it was', async () => {
    const { server } = logging();
    const aborted = gate();
    server.tool('endless', {}, (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.open());
      return new Promise<never>(() => undefined);
    });
    const peer = clientByHand(server);
    peer.send({ jsonrpc: '2.0', id: 'endless', method: 'tools/call', params: { name: 'endless', _meta: metaOf() } });
    peer.notify('notifications/cancelled', { requestId: 'endless' });
    await aborted.opened;
    await peer.request('tools/list', { _meta: metaOf() }, 'fence');
    expect(peer.lines.filter(({ direction }) => direction === 'in')).toHaveLength(1);
  });

  test.each(doors)('one whose handler never ends keeps nobody else waiting ($name)', async ({ open }) => {
    const { server } = logging();
    const aborted = gate();
    const started = gate();
    server.tool('endless', {}, (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.open());
      started.open();
      return new Promise<never>(() => undefined);
    });
    server.tool('quick', {}, () => 'in time');
    const endpoint = await open(server);
    const endless = endpoint.fly(call('endless'));
    await started.opened;
    endless.leave();
    await aborted.opened;
    expect((await endpoint.send(call('quick'))).content).toBe('in time');
  });
});

describe('a handler that goes on after it has returned', () => {
  test.each(everyLink())('[PROG-004] is not heard any more ($link, $revision)', async ({ link, revision }) => {
    const { server } = logging();
    let kept: Context | undefined;
    server.tool('hasty', {}, async (_, ctx) => {
      kept = ctx;
      await ctx.progress(1);
      return 'done';
    });
    server.tool('quick', {}, () => 'in time');
    const client = await openLink(link, revision, server);
    const steps: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => void steps.push(progress);
    expect((await client.callTool('hasty', {}, { onProgress })).text).toBe('done');
    await kept?.progress(2);
    await kept?.progress(3);
    expect((await client.callTool('quick', {}, { onProgress })).text).toBe('in time');
    expect(steps).toEqual([1]);
  });
});

describe('tools that come and go', () => {
  test.each(links)('a call keeps the tool it began with (%s)', async (link) => {
    const { server } = logging();
    const started = gate();
    const release = gate();
    server.tool('t', { output: { type: 'array' } }, async () => {
      started.open();
      await release.opened;
      return { structured: ['old'] };
    });
    const client = await openLink(link, '2026-07-28', server);
    const running = client.callTool('t');
    await started.opened;
    expect(server.removeTool('t')).toBe(true);
    expect(await rpcOf(client.callTool('t'))).toMatchObject({ code: -32602 });
    server.tool('t', { output: { type: 'object' } }, () => ({ structured: { is: 'new' } }));
    expect((await client.callTool('t')).structured).toEqual({ is: 'new' });
    release.open();
    expect((await running).structured).toEqual(['old']);
  });

  test.each(links)('a handler may add and remove tools, its own as well (%s)', async (link) => {
    const { server } = logging();
    server.tool('once', {}, () => {
      server.removeTool('once');
      server.tool('twice', {}, () => 'again');
      return 'gone';
    });
    const client = await openLink(link, '2026-07-28', server);
    expect((await client.callTool('once')).text).toBe('gone');
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['twice']);
    expect((await client.callTool('twice')).text).toBe('again');
  });

  test.each(links)('a list is that of one moment (%s)', async (link) => {
    const { server } = logging();
    for (const name of ['a', 'b', 'c']) server.tool(name, {}, () => name);
    const client = await openLink(link, '2026-07-28', server);
    const seen: string[] = [];
    for await (const { name } of client.tools()) {
      seen.push(name);
      server.removeTool(name);
      server.tool(`${name}'`, {}, () => name);
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["a'", "b'", "c'"]);
  });

  test('calls run side by side', async () => {
    const { server } = logging();
    const both = gate();
    let running = 0;
    server.tool('meet', {}, async () => {
      if (++running === 2) both.open();
      await both.opened;
      return 'met';
    });
    const client = await openLink('pipe', '2026-07-28', server);
    const results = await Promise.all([client.callTool('meet'), client.callTool('meet')]);
    expect(results.map(({ text }) => text)).toEqual(['met', 'met']);
  });
});

describe('neither side reaches into the other', () => {
  test.each(links)('arguments and results are copies (%s)', async (link) => {
    const { server } = logging();
    const result = { structured: { list: ['theirs'] } };
    server.tool('t', { input: { type: 'object', properties: { list: {} } } }, (args) => {
      (args['list'] as unknown[]).push('spoilt');
      return result;
    });
    const client = await openLink(link, '2026-07-28', server);
    const args = { list: ['mine'] };
    const { structured } = await client.callTool('t', args);
    expect(args).toEqual({ list: ['mine'] });
    (structured as { list: unknown[] }).list.push('spoilt');
    expect(result).toEqual({ structured: { list: ['theirs'] } });
    expect((await client.callTool('t', args)).structured).toEqual({ list: ['theirs'] });
  });
});
