/** What a client makes of resources, prompts, completion and logs, of a server of the library's own, over every link. */
import { describe, expect, test } from 'vitest';
import { CapabilityError, ResourceNotFoundError, RpcError } from '../../../../src/base/errors.ts';
import type { LogMessage } from '../../../../src/model/inputs.ts';
import type { Note } from '../../../../src/ports/index.ts';
import { Server } from '../../../../src/server/server.ts';
import {
  everyLink,
  legacyRevisions,
  modernRevisions,
  openLink,
  overEveryLink,
  standingLinks,
} from '../../../support/links.ts';

const many = Array.from({ length: 25 }, (_, at) => `n${String(at).padStart(2, '0')}`);

function library(): Server {
  const server = new Server({ name: 's', version: '1', pageSize: 10 })
    .resource('x:text', { name: 'text', mimeType: 'text/plain' }, () => 'grün')
    .resource('x:bytes', { name: 'bytes' }, () => new Uint8Array([0, 1, 2]))
    .resource('x:empty', { name: 'empty' }, () => ({ contents: [] }))
    .template(
      'city://{country}/{city}',
      {
        name: 'city',
        complete: {
          city: (value, { arguments: { country } }) =>
            ['Paris', 'Pau', 'Porto'].filter(
              (city) => city.startsWith(value) && (country !== 'fr' || city !== 'Porto'),
            ),
        },
      },
      ({ city }) => `in ${String(city)}`,
    )
    .prompt(
      'greeting',
      { input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
      ({ name }) => `Hello ${name}`,
    )
    .tool('log', {}, (_, ctx) => {
      ctx.log('debug', 'quiet');
      ctx.log('error', { loud: true }, 'db');
      return 'logged';
    });
  for (const name of many) server.resource(`many:${name}`, { name }, () => name);
  return server;
}

const over = { server: library };

describe('resources', () => {
  overEveryLink('[SEED-196] text, bytes and nothing', over, async ({ client }) => {
    expect((await client.readResource('x:text')).text).toBe('grün');
    expect((await client.readResource('x:bytes')).bytes()).toEqual(new Uint8Array([0, 1, 2]));
    expect((await client.readResource('x:empty')).contents).toEqual([]);
    expect((await client.readResource('city://fr/Pau')).text).toBe('in Pau');
  });

  overEveryLink(
    '[SEED-199 RES-008 BUG-159] one that is not there is the same error everywhere',
    over,
    async ({ client }) => {
      for (const uri of ['x:nope', 'FILE:///A', ...(client.isModern ? ['x:%ZZ'] : [])]) {
        const error = await client.readResource(uri).catch((thrown: unknown) => thrown);
        expect(error, uri).toBeInstanceOf(ResourceNotFoundError);
        expect(error, uri).toMatchObject({ code: 'resource_not_found', origin: 'peer', uri });
      }
      await expect(client.readResource('x:nope')).rejects.toMatchObject({
        uri: 'x:nope',
        rpc: { code: client.isModern ? -32602 : -32002, data: { uri: 'x:nope' } },
      });
      // What is no URI is refused as such.
      for (const uri of ['not a uri', ''])
        await expect(client.readResource(uri), uri).rejects.toMatchObject({ code: 'rpc_error', rpc: { code: -32602 } });
    },
  );

  overEveryLink('[PAG-001 PAG-004 SEED-189] all pages of a long list', over, async ({ client }) => {
    const uris = (await client.listResources()).map(({ uri }) => uri);
    expect(uris).toEqual(['x:text', 'x:bytes', 'x:empty', ...many.map((name) => `many:${name}`)]);
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: 'city://{country}/{city}' }]);
    let seen = 0;
    for await (const _ of client.resources()) if (++seen === 11) break;
    expect(seen).toBe(11);
  });

  test.each(everyLink({ links: standingLinks, revisions: legacyRevisions }))(
    'a subscription in a session brings changes until it is taken back ($link, $revision)',
    async ({ link, revision }) => {
      const server = library();
      let heard: (note: Note) => void = () => undefined;
      const client = await openLink(link, revision, server, { onNotification: (note) => heard(note) });
      const next = (): Promise<Note> =>
        new Promise((resolve) => {
          heard = resolve;
        });
      await client.subscribeResource('x:text');
      const told = next();
      server.changed.resource('x:bytes');
      server.changed.resource('x:text');
      expect(await told).toEqual({ method: 'notifications/resources/updated', params: { uri: 'x:text' } });
      await client.unsubscribeResource('x:text');
      await client.subscribeResource('x:bytes');
      const after = next();
      server.changed.resource('x:text');
      server.changed.resource('x:bytes');
      expect(await after).toMatchObject({ params: { uri: 'x:bytes' } });
    },
  );
});

describe('prompts and completion', () => {
  overEveryLink('[SEED-195 PRM-003] a prompt with its arguments', over, async ({ client }) => {
    expect(await client.listPrompts()).toMatchObject([{ name: 'greeting' }]);
    const prompt = await client.getPrompt('greeting', { name: 'A' });
    expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hello A' } }]);
    await expect(client.getPrompt('nobody')).rejects.toBeInstanceOf(RpcError);
  });

  overEveryLink('[SEED-274] a completion in its context', over, async ({ client, revision }) => {
    const ref = { type: 'ref/resource', uri: 'city://{country}/{city}' } as const;
    const argument = { name: 'city', value: 'P' };
    expect(await client.complete(ref, argument)).toMatchObject({ values: ['Paris', 'Pau', 'Porto'] });
    const inFrance = await client.complete(ref, argument, { context: { country: 'fr' } });
    const knowsContext = revision !== '2024-11-05' && revision !== '2025-03-26';
    expect(inFrance.values).toEqual(knowsContext ? ['Paris', 'Pau'] : ['Paris', 'Pau', 'Porto']);
  });
});

describe('log messages', () => {
  // Without a session a legacy server has nothing to remember the level by.
  const telling = everyLink().filter(({ link, revision }) => link !== 'web' || modernRevisions.includes(revision));

  test.each(telling)(
    '[SEED-275] reach the client from the level on that it asked for ($link, $revision)',
    async ({ link, revision }) => {
      const messages: LogMessage[] = [];
      let wanted = 1;
      let enough: () => void = () => undefined;
      const client = await openLink(link, revision, library(), {
        onLog: (message) => {
          if (messages.push(message) === wanted) enough();
        },
      });
      /** Messages of a legacy session may come after the result. */
      const until = (count: number): Promise<void> =>
        new Promise((resolve) => {
          wanted = count;
          if (messages.length >= count) resolve();
          else enough = resolve;
        });
      if (client.isModern) {
        await client.callTool('log');
        expect(messages).toEqual([]);
      }
      await client.setLogLevel('error');
      await client.callTool('log');
      await until(1);
      expect(messages.splice(0)).toEqual([{ level: 'error', logger: 'db', data: { loud: true } }]);
      await client.setLogLevel('debug');
      await client.callTool('log');
      await until(2);
      expect(messages.map(({ level }) => level)).toEqual(['debug', 'error']);
    },
  );
});

describe('what is not there', () => {
  const bare = { server: () => new Server({ name: 's', version: '1' }) };

  overEveryLink('[BUG-107] lists are empty, and calls are refused before they are sent', bare, async ({ client }) => {
    expect(await client.listTools()).toEqual([]);
    expect(await client.listResources()).toEqual([]);
    expect(await client.listResourceTemplates()).toEqual([]);
    expect(await client.listPrompts()).toEqual([]);
    await expect(client.readResource('x:text')).rejects.toBeInstanceOf(CapabilityError);
    await expect(client.getPrompt('greeting')).rejects.toBeInstanceOf(CapabilityError);
  });

  overEveryLink(
    '[BUG-107] the first prompt after connecting is told, and harms nobody',
    bare,
    async ({ client, server }) => {
      server.prompt('late', {}, () => 'late');
      expect(await client.listPrompts()).toEqual([]);
      const { prompts } = await client.sendRequest('prompts/list');
      expect(prompts).toMatchObject([{ name: 'late' }]);
    },
  );
});
