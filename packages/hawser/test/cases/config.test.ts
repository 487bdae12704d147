/** Configuration files, from the disk to the server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ArgumentError } from '../../src/base/errors.ts';
import { connectOn, type Command } from '../../src/client/connect.ts';
import { clientGroupOn } from '../../src/client/group.ts';
import { describeServer, resolveServer } from '../../src/config/index.ts';
import { clientGroup, connect, parseConfig } from '../../src/entry/index.node.ts';
import { localSources, readConfig } from '../../src/entry/node.ts';
import { scriptedServer } from '../../src/testing/scripted.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { pipeLink } from '../../src/transport/pipe-client.ts';
import { gate } from '../support/http.ts';
import { modernPeer } from '../support/http-peer.ts';
import { opening, recorder } from '../support/stdio.ts';

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hawser-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

/** A group of servers in memory, and the commands they were started with. */
function starting() {
  const started: Command[] = [];
  const group = clientGroupOn(
    connectOn({
      spawn: (command) => (inbound) => {
        started.push(command);
        const [near, far] = memoryPipe();
        scriptedServer(far, opening.modern);
        return Promise.resolve(pipeLink(near, inbound));
      },
    }),
  );
  return { started, group };
}

describe('a variable in a header', () => {
  test('[SEED-482] is looked up at the start, and shown nowhere', async () => {
    const peer = await modernPeer();
    const text = JSON.stringify({
      mcpServers: { a: { url: peer.url, headers: { Authorization: 'Bearer ${T}', 'X-Plain': 'p-${T}' } } },
    });
    const { a } = parseConfig(text).servers;
    if (a === undefined) throw new Error('no server');
    const logger = recorder();
    logger.info('starting', a);
    logger.info('starting', describeServer(a));
    for (const T of ['s3cret-1', 's3cret-2']) {
      const resolved = resolveServer(a, { env: { T } });
      logger.info('starting', resolved);
      await using client = await connect(resolved.target, { ...resolved.options, logger });
      await client.listTools();
      const headers = peer.seen.at(-1)?.headers;
      expect([headers?.['authorization'], headers?.['x-plain']]).toEqual([`Bearer ${T}`, `p-${T}`]);
    }
    const logged = inspect(logger.entries, { depth: 9 });
    expect(logged).toMatch('headers Authorization=[secret] X-Plain=[secret]');
    expect(logged).not.toMatch('s3cret');
    expect(() => resolveServer(a, { env: {} })).toThrow(
      'server "a": headers.Authorization needs the variable T, which is not set; headers.X-Plain needs the variable T',
    );
  });
});

test('a resolved command is logged without its values, by itself and within a copy', () => {
  const { a } = parseConfig({ mcpServers: { a: { command: 'x', args: ['--token=${T}'] } } }).servers;
  if (a === undefined) throw new Error('no server');
  const { target } = resolveServer(a, { env: { T: 's3cret' } });
  if (!('command' in target)) throw new Error('no command');
  expect(Array.isArray(target.command)).toBe(true);
  expect(target.command.join(' ')).toBe('x --token=s3cret');
  for (const shown of [target, target.command, { ...target }]) expect(inspect(shown)).not.toMatch('s3cret');
});

describe('placeholders in a file of several servers', () => {
  const mcpServers = {
    good: {
      command: '${SET}/bin',
      args: ['${UNSET:-d}', '${EMPTY}', '$$', 'pre${SET}post'],
      env: { TOKEN: '${TOKEN}', NESTED: '${NESTED}' },
    },
    unset: { command: 'x', env: { KEY: 'a${UNSET}' } },
    nested: { command: 'x', args: ['${A${B}}'] },
    open: { url: 'http://127.0.0.1/${' },
  };

  test('[BUG-163] a missing value disables its server only, by name; nothing is expanded twice', async () => {
    const { started, group: groupOf } = starting();
    const logger = recorder();
    const env = { SET: '/set', EMPTY: '', TOKEN: 's3cret', NESTED: '${TOKEN}' };
    const { servers, problems } = parseConfig({ mcpServers });
    expect(problems).toEqual([]);
    await using group = await groupOf(servers, { sources: { env }, logger });
    expect(started).toEqual([
      {
        command: ['/set/bin', 'd', '', '$$', 'pre/setpost'],
        env: { TOKEN: 's3cret', NESTED: '${TOKEN}' },
      },
    ]);
    expect([...group.clients.keys()]).toEqual(['good']);
    expect([...group.failures.values()].map(({ message }) => message)).toEqual([
      'server "unset", connect: env.KEY needs the variable UNSET, which is not set',
      'server "nested", connect: args[0] has a ${ without a }',
      'server "open", connect: url has a ${ without a }',
    ]);
    for (const { cause } of group.failures.values()) expect(cause).toBeInstanceOf(ArgumentError);
    expect(inspect([logger.entries, started, group], { depth: 9 })).not.toMatch('s3cret');
    // A variable that is set later counts from the next try on.
    Object.assign(env, { UNSET: 's3cret' });
    await group.connect('unset');
    expect(started.at(-1)?.env).toEqual({ KEY: 'as3cret' });
  });

  test('[BUG-163] a server that refuses the credentials gets no value of them told again', async () => {
    const peer = await modernPeer({
      'server/discover': (turn) =>
        turn.send(401, `no ${turn.seen.headers['authorization']}`, {
          'www-authenticate': `Bearer error_description="${turn.seen.headers['authorization']}"`,
        }),
    });
    const logger = recorder();
    const frames: unknown[] = [];
    const { servers } = parseConfig({
      mcpServers: { a: { url: `${peer.url}?key=\${TOKEN}`, headers: { Authorization: 'Bearer ${TOKEN}' } } },
    });
    await using group = await clientGroup(servers, {
      sources: { env: { TOKEN: 's3cret' } },
      logger,
      onFrame: (frame) => frames.push({ ...frame, text: '' }),
    });
    expect(peer.seen[0]?.headers['authorization']).toBe('Bearer s3cret');
    const failure = group.failures.get('a');
    expect(failure).toMatchObject({ status: 401, outcome: 'refused', cause: { code: 'unauthorized' } });
    const shown = [failure, logger.entries, frames, group, servers];
    for (const text of [inspect(shown, { depth: 9 }), JSON.stringify(shown), String(failure?.cause.message)])
      expect(text).not.toMatch('s3cret');
  });

  test('a value that cannot stand in a header fails its server, without being shown', async () => {
    const { servers } = parseConfig({ mcpServers: { a: { url: 'http://h', headers: { X: '${V}' } } } });
    await using group = await clientGroup(servers, { sources: { env: { V: 's3cret\r\nY: 1' } } });
    expect(group.failures.get('a')?.cause).toBeInstanceOf(ArgumentError);
    expect(inspect(group.failures, { depth: 9 })).not.toMatch('s3cret');
  });
});

describe('entries of a group', () => {
  test('a disabled server is left out; what a program gives is taken as it is', async () => {
    const { started, group: groupOf } = starting();
    await using group = await groupOf(
      {
        ...parseConfig({ mcpServers: { off: { command: 'x', disabled: true } } }).servers,
        own: { command: ['x'], env: { A: '${HOME}' } },
      },
      { sources: { env: { HOME: '/h' } } },
    );
    expect(group.servers).toEqual(['own']);
    expect(started).toEqual([{ command: ['x'], env: { A: '${HOME}' } }]);
  });

  test('what is filled in for a path is in no message', async () => {
    const { servers } = parseConfig({ mcpServers: { a: { url: 'https://${HOST}/${TOKEN}/mcp' } } });
    const clock = new VirtualClock();
    const asked = gate();
    const silent: typeof fetch = () => {
      asked.open();
      return new Promise(() => undefined);
    };
    const sources = { env: { HOST: 'h.test', TOKEN: 's3cret' } };
    const opening = clientGroup(servers, { sources, fetch: silent, clock, connectTimeoutMs: 1_000 });
    await asked.opened;
    await clock.advance(1_000);
    await using group = await opening;
    expect(group.failures.get('a')?.message).toMatch('https://h.test/${TOKEN}/mcp');
    expect(inspect(group.failures, { depth: 9 })).not.toMatch('s3cret');
  });

  test('an entry says over what it is reached: a URL is never started', async () => {
    const { servers } = parseConfig({ mcpServers: { a: { url: '${U}' } } });
    await using group = await clientGroup(servers, { sources: { env: { U: 'touch /tmp/x' } } });
    expect(group.failures.get('a')?.cause).toBeInstanceOf(ArgumentError);
  });
});

describe('files', () => {
  test('are read with comments, and name themselves in problems', async () => {
    const folder = await folderWith({
      '.mcp.json':
        '\uFEFF{ "mcpServers": { /* one */ "a": { "command": "x", "env": { "B": "${B}" }, "envFile": "${userHome}" }, "b": {} } }',
      '.env': 'A=1\nB=2\n',
      'bad.json': '{\n "mcpServers": {\n  "a": s3cret\n }\n}',
    });
    const path = join(folder, '.mcp.json');
    const { servers, problems } = await readConfig(path);
    expect(Object.keys(servers)).toEqual(['a']);
    expect(problems).toEqual([`${path}: server "b" is left out: it has neither a command nor a url`]);

    const { a } = servers;
    if (a === undefined) throw new Error('no server');
    const sources = localSources({ env: { B: '3' }, home: join(folder, '.env') });
    expect(resolveServer(a, sources).target).toEqual({ command: ['x'], env: { A: '1', B: '3' } });
    expect(localSources()).toMatchObject({ env: process.env, home: homedir() });
    expect(() => resolveServer(a, { ...sources, home: folder })).toThrow('server "a": envFile cannot be read');
    // A device tells no size and has no end.
    expect(() => resolveServer(a, { ...sources, home: '/dev/zero' })).toThrow(
      'server "a": envFile: larger than such a file may be (1048576 bytes)',
    );

    const bad = readConfig(join(folder, 'bad.json'));
    await expect(bad).rejects.toThrow(ArgumentError);
    await expect(bad).rejects.toThrow(`${join(folder, 'bad.json')}, line 3, column 8: not JSON: a value is expected`);
    await expect(readConfig(join(folder, 'bad.json'), { source: 'mine' })).rejects.toThrow('mine, line 3');
  });

  test('that are not there, are no files or are too large are refused by name', async () => {
    const folder = await folderWith({
      'huge.json': new Uint8Array(4 * 1024 * 1024 + 1),
      'large.json': new Uint8Array(4 * 1024 * 1024).fill(0x20),
    });
    await expect(readConfig(join(folder, 'no.json'))).rejects.toThrow(
      `${join(folder, 'no.json')}: there is no such file`,
    );
    await expect(readConfig(folder)).rejects.toThrow('it is a folder');
    await expect(readConfig(join(folder, 'huge.json'))).rejects.toThrow('be (4194304 bytes)');
    await expect(readConfig(join(folder, 'large.json'))).rejects.toThrow('be (1048576 characters)');
    for (const path of [join(folder, 'no.json'), folder]) await expect(readConfig(path)).rejects.toThrow(ArgumentError);
  });
});
