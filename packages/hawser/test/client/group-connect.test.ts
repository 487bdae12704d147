/** Several servers at once: connecting, failing, trying again, closing. */
import { describe, expect, test } from 'vitest';
import { ArgumentError, ConnectionError } from '../../src/base/errors.ts';
import type { Client } from '../../src/client/client.ts';
import { ServerFailedError, ServerNotFoundError } from '../../src/client/group-errors.ts';
import { clientGroupOn } from '../../src/client/group.ts';
import type { GroupServers } from '../../src/client/group-servers.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { clientGroup, connect } from '../../src/entry/index.node.ts';
import { Server } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import type { ScriptedRequest } from '../../src/testing/scripted.ts';
import { handServers } from '../support/group.ts';
import { gate } from '../support/http.ts';
import { recorder } from '../support/stdio.ts';

const gone = new ConnectionError('gone', { origin: 'local', outcome: 'not-sent' });

/** Two good servers, one that is silent and one that cannot be started. */
function mixed() {
  const hand = handServers({ good: 'modern', silent: 'legacy', broken: 'modern', fine: 'legacy' });
  const { good, fine, silent, broken } = hand.servers;
  good.tools = ['t'];
  fine.tools = ['u'];
  const asked = gate<ScriptedRequest>();
  silent.handlers['initialize'] = (request) => asked.open(request);
  broken.broken = gone;
  return { ...hand, asked };
}

describe('connecting', () => {
  test('what fails costs the others nothing, and is told', async () => {
    const clock = new VirtualClock();
    const { open, asked } = mixed();
    const told: string[] = [];
    const opening = open({ clock, connectTimeoutMs: 2_000, onFailure: ({ server }) => told.push(server) });
    await asked.opened;
    await clock.advance(1_999);
    expect(told).toEqual(['broken']);
    await clock.advance(1);
    const group = await opening;
    expect(group.servers).toEqual(['good', 'silent', 'broken', 'fine']);
    expect([...group.clients.keys()]).toEqual(['good', 'fine']);
    expect(told).toEqual(['broken', 'silent']);
    expect([...group.failures]).toMatchObject([
      ['silent', { server: 'silent', during: 'connect', outcome: 'not-sent', cause: { code: 'timeout' } }],
      ['broken', { message: 'server "broken", connect: gone', code: 'server_failed', origin: 'local', cause: gone }],
    ]);
    expect((await group.listTools()).map(({ server, tool }) => [server, tool.name])).toEqual([
      ['good', 't'],
      ['fine', 'u'],
    ]);
    expect((await group.callTool('u')).text).toBe('fine:u');
    await expect(group.callTool('v')).rejects.toMatchObject({
      unavailable: ['silent', 'broken'],
      message: 'no server lists a tool "v" (these could not tell: "silent", "broken")',
    });
    for (const failed of [group.callTool('t', {}, { server: 'broken' }), group.listTools({ server: 'broken' })])
      await expect(failed).rejects.toThrow(ServerFailedError);
    expect(() => group.client('broken')).toThrow(group.failures.get('broken'));
  });

  test('one that failed is tried again when that is asked for', async () => {
    const { open, servers } = handServers({ a: 'modern', b: 'modern' });
    servers.b.broken = gone;
    servers.b.tools = ['t'];
    const group = await open();
    await expect(group.connect('b')).rejects.toMatchObject({ code: 'server_failed', cause: gone });
    servers.b.broken = undefined;
    await expect(group.callTool('t')).rejects.toMatchObject({ code: 'tool_not_found' });
    const [one, two] = await Promise.all([group.connect('b'), group.connect('b')]);
    expect(one).toBe(two);
    expect(servers.b.peers).toHaveLength(1);
    expect(group.failures.size).toBe(0);
    expect(await group.connect('b')).toBe(one);
    expect(group.client('b')).toBe(one);
    expect((await group.callTool('t')).text).toBe('b:t');
  });

  test('with waitMs the group is there although some still connect', async () => {
    const clock = new VirtualClock();
    const { open, servers, asked } = mixed();
    const opening = open({ clock, connectTimeoutMs: 60_000, waitMs: 500 });
    const request = await asked.opened;
    await clock.advance(500);
    const group = await opening;
    expect([...group.clients.keys()]).toEqual(['good', 'fine']);
    expect([...group.failures.keys()]).toEqual(['broken']);
    expect(() => group.client('silent')).toThrow('server "silent", connect: it is still connecting');
    await expect(group.callTool('late')).rejects.toMatchObject({ unavailable: ['silent', 'broken'] });
    // One that names the server waits for it.
    const call = group.callTool('late', {}, { server: 'silent' });
    servers.silent.tools = ['late'];
    delete servers.silent.handlers['initialize'];
    const answers = servers.silent.answers;
    request.reply(await answers['initialize']?.(request));
    expect((await call).text).toBe('silent:late');
    expect((await group.callTool('late')).text).toBe('silent:late');
    await group.close();
    await clock.advance(250);
    expect(clock.pending).toBe(0);
  });

  test('when all is settled before waitMs, nothing waits any longer', async () => {
    const clock = new VirtualClock();
    const { open, servers } = handServers({ a: 'modern', b: 'modern' });
    servers.b.broken = gone;
    const group = await open({ clock, waitMs: 500 });
    expect([...group.clients.keys()]).toEqual(['a']);
    await group.close();
    expect(clock.pending).toBe(0);
  });

  test('a caller that gives up ends all of it', async () => {
    const { open, servers, asked } = mixed();
    const abort = new AbortController();
    const opening = open({ signal: abort.signal });
    await asked.opened;
    abort.abort();
    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
    await Promise.all([servers.silent.peer.ended, servers.good.peer.ended]);
    await expect(open({ signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' });
  });

  test('giving up the wait for one server leaves the attempt to others', async () => {
    const { open, asked, servers } = mixed();
    const clock = new VirtualClock();
    const opening = open({ waitMs: 1, clock });
    const request = await asked.opened;
    await clock.advance(1);
    const group = await opening;
    const abort = new AbortController();
    const waiting = group.connect('silent', { signal: abort.signal });
    const patient = group.connect('silent');
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    delete servers.silent.handlers['initialize'];
    request.reply(await servers.silent.answers['initialize']?.(request));
    expect((await patient).serverInfo?.name).toBe('silent');
  });

  test('a group without servers, and arguments that cannot work', async () => {
    expect((await clientGroup({})).servers).toEqual([]);
    await expect((await clientGroup({})).callTool('t')).rejects.toMatchObject({ code: 'tool_not_found' });
    await expect((await clientGroup({})).connect('x')).rejects.toThrow(ServerNotFoundError);
    expect(new ServerNotFoundError('x', []).message).toBe('there is no server "x" in the group (it is empty)');
    const wrong = [undefined, null, 'https://h/mcp', { a: 7 }, { a: null }, { '': 'x' }, [undefined]] as unknown[];
    for (const servers of wrong) await expect(clientGroup(servers as GroupServers)).rejects.toThrow(ArgumentError);
    for (const options of [{ waitMs: 0 }, { listTimeoutMs: -1 }, { waitMs: Number.NaN }])
      await expect(clientGroup({}, options)).rejects.toThrow(ArgumentError);
  });

  test('a target that cannot be read fails alone', async () => {
    const server = new Server({ name: 's', version: '1' });
    await using group = await clientGroup({ ok: server, bad: 'https://user:s3cret@h/mcp' });
    expect([...group.clients.keys()]).toEqual(['ok']);
    expect(group.failures.get('bad')?.cause).toBeInstanceOf(ArgumentError);
    expect(group.failures.get('bad')?.message).not.toMatch('s3cret');
  });
});

describe('options', () => {
  /** What `connect` was given, by the name of the target. */
  async function optionsOf(servers: GroupServers, options: object) {
    const seen: Record<string, ConnectOptions> = {};
    const server = new Server({ name: 's', version: '1' });
    await using group = await clientGroupOn((target, given) => {
      seen[typeof target === 'string' ? target : '?'] = given;
      return connect(server, given);
    })(servers, options);
    expect(group.failures.size).toBe(0);
    return seen;
  }

  test('those of the group count for all servers, those of a server win', async () => {
    const seen = await optionsOf(
      { a: 'A', b: { target: 'B', options: { timeoutMs: 1, headers: { Authorization: 'x' } } } },
      { timeoutMs: 5, maxPages: 7 },
    );
    expect(seen['A']).toMatchObject({ timeoutMs: 5, maxPages: 7 });
    expect(seen['B']).toMatchObject({ timeoutMs: 1, maxPages: 7, headers: { Authorization: 'x' } });
  });

  test('credentials are never those of the group', async () => {
    const seen = await optionsOf({ a: 'A' }, { headers: { Authorization: 's3cret' }, authorizer: {} });
    expect(seen['A']).toMatchObject({ headers: undefined, authorizer: undefined });
    expect(JSON.stringify(seen)).not.toMatch('s3cret');
  });
});

describe('closing', () => {
  test('ends all connections and those that are being made', async () => {
    const { open, servers, asked } = mixed();
    const clock = new VirtualClock();
    const opening = open({ clock, waitMs: 10 });
    await asked.opened;
    await clock.advance(10);
    const group = await opening;
    const waiting = group.connect('silent');
    const failure = expect(waiting).rejects.toMatchObject({ code: 'server_failed', cause: { code: 'connection' } });
    await Promise.all([group.close(), group.close()]);
    await failure;
    await Promise.all([servers.good, servers.fine, servers.silent].map(({ peer }) => peer.ended));
    expect(group.clients.size).toBe(0);
    expect(clock.pending).toBe(0);
    for (const late of [group.connect('good'), group.callTool('t', {}, { server: 'good' })])
      await expect(late).rejects.toThrow('the group is closed');
    await expect(group.callTool('t')).rejects.toMatchObject({ code: 'tool_not_found' });
    expect(servers.good.peers).toHaveLength(1);
  });

  test('a connection that comes too late is closed', async () => {
    const late = gate<Client>();
    const opened = gate();
    const server = new Server({ name: 's', version: '1' });
    const told: unknown[] = [];
    const clock = new VirtualClock();
    const opening = clientGroupOn(async () => {
      opened.open();
      return late.opened;
    })({ a: 'A' }, { waitMs: 1, clock, onFailure: (failure) => told.push(failure) });
    await opened.opened;
    await clock.advance(1);
    const group = await opening;
    const closing = group.close();
    const client = await connect(server, {});
    late.open(client);
    await closing;
    expect(group.clients.size).toBe(0);
    await expect(client.callTool('x')).rejects.toThrow('the client is closed');
    expect(told).toEqual([]);
  });

  test('a connection that fails to close does not keep the others open', async () => {
    const logger = recorder();
    const { open, servers } = handServers({ a: 'modern', b: 'modern' });
    const group = await open({ logger });
    const client = group.client('a');
    const close = client.close.bind(client);
    client.close = async () => {
      await close();
      throw new Error('stuck');
    };
    await group.close();
    await servers.b.peer.ended;
    expect(logger.of('warn')).toEqual(['closing "a" failed']);
  });
});
