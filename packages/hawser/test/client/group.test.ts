/** Several servers as one: finding things by name. */
import { describe, expect, test } from 'vitest';
import { ResourceNotFoundError } from '../../src/base/errors.ts';
import {
  AmbiguousNameError,
  PromptNotFoundError,
  ServerNotFoundError,
  ToolNotFoundError,
} from '../../src/client/group-errors.ts';
import { clientGroup } from '../../src/entry/index.node.ts';
import { Server } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import type { ScriptedRequest } from '../../src/testing/scripted.ts';
import { handServers } from '../support/group.ts';
import { gate } from '../support/http.ts';

const eras = ['modern', 'legacy'] as const;

/** Two servers of one era, with `echo` on both. */
async function twins(era: 'modern' | 'legacy') {
  const hand = handServers({ a: era, b: era });
  const { a, b } = hand.servers;
  Object.assign(a, { tools: ['echo', 'only-a'], prompts: ['greet', 'pa'], resources: ['x://both', 'x://a'] });
  Object.assign(b, { tools: ['echo', 'only-b'], prompts: ['greet', 'pb'], resources: ['x://both', 'x://b'] });
  return { a, b, group: await hand.open() };
}

describe('names', () => {
  test('[SEED-029] servers of a list get names of their own', async () => {
    const server = (name: string) => new Server({ name, version: '1' });
    await using group = await clientGroup([server('one'), server('two')]);
    expect(group.servers).toEqual(['server_0', 'server_1']);
    expect([...group.clients].map(([name, client]) => [name, client.serverInfo?.name])).toEqual([
      ['server_0', 'one'],
      ['server_1', 'two'],
    ]);
    expect(group.client('server_1')).toBe(group.clients.get('server_1'));
  });

  describe.each(eras)('%s', (era) => {
    test('what one server has is found there', async () => {
      const { group } = await twins(era);
      expect((await group.callTool('only-b')).text).toBe('b:only-b');
      expect((await group.getPrompt('pa')).text).toBe('a:pa');
      expect((await group.readResource('x://b')).text).toBe('b:x://b');
    });

    test('[SEED-190] what several have needs the server said', async () => {
      const { a, b, group } = await twins(era);
      const expected = (kind: string, requested: string) => ({
        kind,
        requested,
        servers: ['a', 'b'],
        outcome: 'not-sent',
      });
      const tool = group.callTool('echo');
      await expect(tool).rejects.toThrow(AmbiguousNameError);
      await expect(tool).rejects.toMatchObject(expected('tool', 'echo'));
      await expect(group.getPrompt('greet')).rejects.toMatchObject(expected('prompt', 'greet'));
      await expect(group.readResource('x://both')).rejects.toMatchObject(expected('resource', 'x://both'));
      for (const method of ['tools/call', 'prompts/get', 'resources/read'])
        expect(a.count(method) + b.count(method)).toBe(0);
      expect((await group.callTool('echo', {}, { server: 'b' })).text).toBe('b:echo');
      expect((await group.getPrompt('greet', {}, { server: 'a' })).text).toBe('a:greet');
      expect((await group.readResource('x://both', { server: 'b' })).text).toBe('b:x://both');
    });

    test('[SEED-191] what nobody has is an error of its own', async () => {
      const { a, b, group } = await twins(era);
      await expect(group.callTool('nope')).rejects.toThrow(ToolNotFoundError);
      await expect(group.getPrompt('nope')).rejects.toThrow(PromptNotFoundError);
      await expect(group.readResource('x://nope')).rejects.toThrow(ResourceNotFoundError);
      for (const call of [
        group.callTool('echo', {}, { server: 'c' }),
        group.getPrompt('greet', {}, { server: 'c' }),
        group.readResource('x://a', { server: 'c' }),
        group.listTools({ server: 'c' }),
        group.connect('c'),
      ])
        await expect(call).rejects.toThrow(ServerNotFoundError);
      expect(() => group.client('toString')).toThrow(ServerNotFoundError);
      await expect(group.connect('c')).rejects.toMatchObject({ server: 'c', known: ['a', 'b'] });
      for (const method of ['tools/call', 'prompts/get', 'resources/read'])
        expect(a.count(method) + b.count(method)).toBe(0);
    });
  });

  test('calls side by side give their results in order', async () => {
    const { a, b, group } = await twins('modern');
    const calls = group.callTools([
      { name: 'only-a' },
      { name: 'nope' },
      { server: 'b', name: 'echo', arguments: { n: 1 } },
      { name: 'echo' },
      { name: 'only-b' },
    ]);
    const results = await calls;
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.text : result.reason.code))).toEqual([
      'a:only-a',
      'tool_not_found',
      'b:echo',
      'ambiguous_name',
      'b:only-b',
    ]);
    expect([a.count('tools/call'), b.count('tools/call')]).toEqual([1, 2]);
    const all = await group.callTools([{ name: 'echo' }, { name: 'echo', server: 'a' }], { server: 'b' });
    expect(all).toMatchObject([{ value: { text: 'b:echo' } }, { value: { text: 'a:echo' } }]);
  });
});

describe('lists', () => {
  test('each entry comes with its server', async () => {
    const { group, a } = await twins('legacy');
    a.templates = ['x://{id}'];
    const tools = await group.listTools();
    expect(tools.map(({ server, tool }) => [server, tool.name])).toEqual([
      ['a', 'echo'],
      ['a', 'only-a'],
      ['b', 'echo'],
      ['b', 'only-b'],
    ]);
    expect((await group.listPrompts({ server: 'b' })).map(({ server, prompt }) => [server, prompt.name])).toEqual([
      ['b', 'greet'],
      ['b', 'pb'],
    ]);
    expect((await group.listResources()).map(({ server, resource }) => [server, resource.uri])).toContainEqual([
      'b',
      'x://b',
    ]);
    expect(await group.listResourceTemplates()).toEqual([
      { server: 'a', template: { uriTemplate: 'x://{id}', name: 'x://{id}' } },
    ]);
    const names = async (pattern: string | RegExp) => (await group.findTools(pattern)).map(({ tool }) => tool.name);
    expect(await names(/^only/g)).toEqual(['only-a', 'only-b']);
    expect(await names('-b')).toEqual(['only-b']);
  });

  test('a server that fails to list is left out and told; the next success mends that', async () => {
    const { group, a } = await twins('legacy');
    a.handlers['tools/list'] = ({ fail }) => fail({ code: -32603, message: 'out of order' });
    expect((await group.listTools()).map(({ server }) => server)).toEqual(['b', 'b']);
    expect([...group.failures]).toMatchObject([
      ['a', { server: 'a', during: 'tools/list', rpc: { code: -32603 }, cause: { code: 'rpc_error' } }],
    ]);
    await expect(group.listTools({ server: 'a' })).rejects.toMatchObject({
      code: 'server_failed',
      message: 'server "a", tools/list: out of order',
    });
    await group.listPrompts();
    expect(group.failures.size).toBe(1);
    delete a.handlers['tools/list'];
    expect(await group.listTools()).toHaveLength(4);
    expect(group.failures.size).toBe(0);
  });

  test('a caller that gives up gets an AbortError, and nobody is blamed', async () => {
    const { group, a } = await twins('legacy');
    a.handlers['tools/list'] = () => undefined;
    const abort = new AbortController();
    const listing = group.listTools({ signal: abort.signal });
    abort.abort();
    await expect(listing).rejects.toMatchObject({ code: 'aborted' });
    expect(group.failures.size).toBe(0);
  });
});

describe('what is known of the lists', () => {
  test('they are asked for once, by all who want them at a time', async () => {
    const { group, a, b } = await twins('legacy');
    await Promise.all([group.callTool('only-a'), group.callTool('only-b'), group.callTool('only-a')]);
    await group.callTool('only-b');
    expect([a.count('tools/list'), b.count('tools/list')]).toEqual([1, 1]);
    expect(a.count('prompts/list')).toBe(0);
  });

  test('a list that a user asked for is known as well', async () => {
    const { group, a, b } = await twins('legacy');
    await group.listTools();
    await group.callTool('only-b');
    expect([a.count('tools/list'), b.count('tools/list')]).toEqual([1, 1]);
  });

  test('a name that is not known has all of them asked again', async () => {
    const { group, a } = await twins('legacy');
    await group.callTool('only-a');
    a.tools = ['new'];
    expect((await group.callTool('new')).text).toBe('a:new');
    expect(a.count('tools/list')).toBe(2);
    // The first question of a name that nobody has is answered by one list.
    await expect(group.getPrompt('nope')).rejects.toThrow(PromptNotFoundError);
    expect(a.count('prompts/list')).toBe(1);
  });

  test('a legacy server tells of changes: the name is found anew', async () => {
    const { group, a, b } = await twins('legacy');
    await group.callTool('only-a');
    a.tools = ['echo'];
    b.tools = ['echo', 'only-a'];
    const told = new Promise<void>((resolve) => {
      group.onNotification((server) => server === 'b' && resolve());
    });
    a.changed('tools');
    b.changed('tools');
    await told;
    expect((await group.callTool('only-a')).text).toBe('b:only-a');
    expect([a.count('tools/list'), b.count('tools/list')]).toEqual([2, 2]);
  });

  test('a list that a change overtakes is not kept', async () => {
    const { group, a, b } = await twins('legacy');
    const asked = gate<ScriptedRequest>();
    a.handlers['tools/list'] = (request) => asked.open(request);
    const call = group.callTool('only-a');
    const request = await asked.opened;
    delete a.handlers['tools/list'];
    a.changed('tools');
    request.reply({ tools: [{ name: 'only-a', inputSchema: { type: 'object' } }] });
    expect((await call).text).toBe('a:only-a');
    await group.callTool('only-a');
    await group.callTool('only-a');
    expect([a.count('tools/list'), b.count('tools/list')]).toEqual([2, 1]);
  });

  test('a list that hangs holds up the first call only, within its limit', async () => {
    const clock = new VirtualClock();
    const hand = handServers({ a: 'legacy', b: 'legacy' });
    const { a, b } = hand.servers;
    const asked = gate();
    a.handlers['tools/list'] = () => asked.open();
    b.tools = ['t'];
    const group = await hand.open({ clock, listTimeoutMs: 1_000 });
    let over = false;
    const call = group.callTool('t').finally(() => {
      over = true;
    });
    await asked.opened;
    await clock.advance(999);
    expect(over).toBe(false);
    await clock.advance(1);
    expect((await call).text).toBe('b:t');
    expect([...group.failures]).toMatchObject([['a', { during: 'tools/list', cause: { code: 'timeout' } }]]);
    expect((await group.callTool('t')).text).toBe('b:t');
    expect(a.count('tools/list')).toBe(1);
    const unknown = group.callTool('nope');
    void unknown.catch(() => undefined);
    await clock.advance(1_000);
    await expect(unknown).rejects.toMatchObject({ code: 'tool_not_found', tool: 'nope', unavailable: ['a'] });
  });

  test('a caller does not wait longer for a list than it wants to', async () => {
    const { group, a } = await twins('legacy');
    a.handlers['tools/list'] = () => undefined;
    const abort = new AbortController();
    const call = group.callTool('only-b', {}, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    await expect(group.callTool('only-b', {}, { signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('resources that are not listed', () => {
  test('are looked for among the templates', async () => {
    const { group, a, b } = await twins('legacy');
    a.templates = ['file:///{+path}', '{broken', 'y://{a}{b}'];
    b.templates = ['db://{table}/{id}', 'file:///tmp/{name}'];
    expect((await group.readResource('db://t/1')).text).toBe('b:db://t/1');
    expect((await group.readResource('file:///etc/x')).text).toBe('a:file:///etc/x');
    await expect(group.readResource('file:///tmp/x')).rejects.toThrow(AmbiguousNameError);
    await expect(group.readResource('y://1')).rejects.toThrow(ResourceNotFoundError);
    expect([a.count('resources/templates/list'), b.count('resources/templates/list')]).toEqual([1, 1]);
  });

  test('a thousand templates of a server are tried, not one more', async () => {
    const { group, a } = await twins('legacy');
    const others = Array.from({ length: 999 }, (_, index) => `t${index}://{x}`);
    a.templates = [...others, 'last://{x}', 'late://{x}'];
    expect((await group.readResource('last://1')).text).toBe('a:last://1');
    await expect(group.readResource('late://1')).rejects.toThrow(ResourceNotFoundError);
  });

  test('the only server with resources is asked all the same: it need not list what it has', async () => {
    const hand = handServers({ a: 'modern' });
    const group = await hand.open();
    expect((await group.readResource('x://linked')).text).toBe('a:x://linked');
    await group.readResource('x://linked', { server: 'a' });
    hand.servers.a.handlers['resources/read'] = ({ fail }) => fail({ code: -32602, message: 'no' });
    await expect(group.readResource('x://linked')).rejects.toMatchObject({
      code: 'resource_not_found',
      rpc: { code: -32602 },
    });
  });

  test('[SEED-198] a subscription goes to one server only', async () => {
    const { group, a, b } = await twins('legacy');
    await group.client('a').subscribeResource('x://anything');
    await group.client('a').unsubscribeResource('x://anything');
    const count = (method: string) => [a.count(`resources/${method}`), b.count(`resources/${method}`)];
    expect([count('subscribe'), count('unsubscribe')]).toEqual([
      [1, 0],
      [1, 0],
    ]);
    await group.subscribeResource('x://b');
    await group.subscribeResource('x://both', { server: 'b' });
    await group.unsubscribeResource('x://b');
    await expect(group.subscribeResource('x://both')).rejects.toThrow(AmbiguousNameError);
    expect([count('subscribe'), count('unsubscribe')]).toEqual([
      [1, 2],
      [1, 1],
    ]);
  });
});
