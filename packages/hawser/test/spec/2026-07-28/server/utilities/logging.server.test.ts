/** server/utilities/logging of the modern era, the server's side, over every link. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { LogLevel } from '../../../../../src/model/types.ts';
import { Server } from '../../../../../src/server/server.ts';
import { doors, gate, modern, type Answer } from '../../../../support/http.ts';
import { overEveryLink, modernRevisions } from '../../../../support/links.ts';

const levels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const logLevel = 'io.modelcontextprotocol/logLevel';

function talkative(): Server {
  return new Server({ name: 's', version: '1' })
    .tool('speak', {}, (_, { log }) => {
      for (const level of levels) log(level, { said: level }, 'tool');
      return 'spoken';
    })
    .resource('x://a', { name: 'a' }, (_, { log }) => {
      log('error', 'read');
      return 'a';
    })
    .prompt('p', {}, (_, { log }) => {
      log('error', 'got');
      return 'p';
    });
}

const messagesOf = (answer: Answer): unknown[] =>
  answer.messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

describe.each(doors)('over HTTP, $name', ({ open }) => {
  const speak = (level?: unknown, params: JsonObject = { name: 'speak' }, method = 'tools/call') =>
    modern(method, params, {
      ...(level !== undefined && { meta: { [logLevel]: level } }),
      ...(method === 'resources/read' && { headers: { 'mcp-name': 'x://a' } }),
      ...(method === 'prompts/get' && { headers: { 'mcp-name': 'p' } }),
    });

  test('[LOG-002 BUG-155] a request that names no level gets no message', async () => {
    const endpoint = await open(talkative());
    const answer = await endpoint.send(speak());
    expect(answer.messages).toHaveLength(1);
    expect(answer.content).toBe('spoken');
  });

  test.each(levels)(
    '[LOG-003 LOG-005 BUG-155] one that names %s gets that and what is graver, before the result',
    async (level) => {
      const endpoint = await open(talkative());
      const answer = await endpoint.send(speak(level));
      expect(messagesOf(answer)).toEqual(
        levels.slice(levels.indexOf(level)).map((each) => ({ level: each, logger: 'tool', data: { said: each } })),
      );
      expect(answer.messages.at(-1)).toHaveProperty('result');
    },
  );

  test('[LOG-004 BUG-155] a level that there is not: -32602, and nothing runs', async () => {
    const endpoint = await open(talkative());
    for (const level of ['verbose', '', 'INFO', 5, null, {}]) {
      const answer = await endpoint.send(speak(level));
      expect(answer.error, JSON.stringify(level)).toMatchObject({ code: -32602 });
      expect(answer.messages).toHaveLength(1);
    }
  });

  test('[LOG-003] resources and prompts log on their own request too', async () => {
    const endpoint = await open(talkative());
    expect(messagesOf(await endpoint.send(speak('info', { uri: 'x://a' }, 'resources/read')))).toEqual([
      { level: 'error', data: 'read' },
    ]);
    expect(messagesOf(await endpoint.send(speak('info', { name: 'p' }, 'prompts/get')))).toEqual([
      { level: 'error', data: 'got' },
    ]);
  });

  test('[LOG-003 BUG-155] messages go to the request that asked, to no other and to no listener', async () => {
    const server = talkative();
    const both = gate();
    const over = gate();
    let running = 0;
    server.tool(
      'together',
      { input: { type: 'object', properties: { who: { type: 'string' } } } },
      async ({ who }, ctx) => {
        if (++running === 2) both.open();
        await both.opened;
        ctx.log('warning', who);
        await over.opened;
        return 'done';
      },
    );
    const endpoint = await open(server);
    const listening = endpoint.fly(
      modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { meta: { [logLevel]: 'debug' } }),
    );
    const stream = await listening.head;
    expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    const calls = [
      endpoint.send(speak('debug', { name: 'together', arguments: { who: 'a' } })),
      endpoint.send(speak('error', { name: 'together', arguments: { who: 'b' } })),
    ];
    await both.opened;
    over.open();
    const [heard, deaf] = await Promise.all(calls);
    expect(messagesOf(heard as Answer)).toEqual([{ level: 'warning', data: 'a' }]);
    expect(messagesOf(deaf as Answer)).toEqual([]);
    server.removeTool('together');
    expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    listening.leave();
  });
});

overEveryLink(
  '[LOG-001] a server says that it logs, and knows nothing of setting a level for all',
  { server: talkative, revisions: modernRevisions },
  async ({ client }) => {
    expect(client.capabilities).toMatchObject({ logging: {} });
    await expect(client.sendRequest('logging/setLevel', { level: 'debug' })).rejects.toMatchObject({
      rpc: { code: -32601 },
    });
  },
);
