/** Arguments of every shape, on tools of every kind, in every revision. HTTP by hand: tool-arguments-http. */
import { describe, expect } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../src/base/json.ts';
import type { Client } from '../../src/client/client.ts';
import type { Revision } from '../../src/model/types.ts';
import { Server } from '../../src/server/server.ts';
import { wireOf } from '../../src/wire/index.ts';
import { overEveryLink } from '../support/links.ts';
import { rpcOf } from '../support/rpc.ts';

const kinds = {
  'says nothing': {},
  'no properties': { input: { type: 'object' } },
  'all optional': { input: { type: 'object', properties: { a: { type: 'string' } } } },
  'one required': { input: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
  strict: { input: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false } },
  'zod, optional': { input: z.object({ a: z.string().optional() }) },
  'zod, required': { input: z.object({ a: z.string() }) },
  'zod, strict': { input: z.strictObject({ a: z.string().optional() }) },
};
const names = Object.keys(kinds);
const requiring = names.filter((name) => name.endsWith('required'));
const strict = names.filter((name) => name === 'says nothing' || name.endsWith('strict'));

function serverOfAll(): Server {
  const server = new Server({ name: 's', version: '1' });
  for (const [name, definition] of Object.entries(kinds))
    server.tool(name, definition as { input?: JsonObject }, (args) => JSON.stringify(args));
  return server;
}

type Outcome = 'ran' | 'does not fit' | 'malformed';

/** How a call ended. What does not fit names the place, and is never taken for our fault. */
async function outcomeOf(client: Client, revision: Revision, params: JsonObject, place = 'a'): Promise<Outcome> {
  const calling = client.sendRequest('tools/call', params);
  const inputErrors = wireOf(revision).facts.inputErrors;
  try {
    const { content, isError } = await calling;
    if (isError !== true) return 'ran';
    expect(inputErrors).toBe('result');
    expect((content as { text: string }[])[0]?.text).toMatch(new RegExp(`^invalid arguments: .*${place}`));
    return 'does not fit';
  } catch {
    const error = await rpcOf(calling);
    expect(error).toMatchObject({ code: -32602 });
    if (!error?.message.startsWith('invalid arguments')) return 'malformed';
    expect(inputErrors).toBe('error');
    expect(error.message).toContain(place);
    return 'does not fit';
  }
}

describe('arguments absent, null, or of the wrong shape', () => {
  const over = { server: serverOfAll, links: ['direct', 'pipe'] } as const;

  overEveryLink('[BUG-108] absent and null are {}', over, async ({ client, revision }) => {
    for (const name of names)
      for (const given of [{}, { arguments: null }, { arguments: {} }])
        expect(await outcomeOf(client, revision, { name, ...given }), `${name} ${JSON.stringify(given)}`).toBe(
          requiring.includes(name) ? 'does not fit' : 'ran',
        );
  });

  overEveryLink('[BUG-108] what is no object is malformed', over, async ({ client, revision }) => {
    for (const name of names)
      for (const given of [[], [{}], '{}', '', 5, 0, true, false])
        expect(await outcomeOf(client, revision, { name, arguments: given }), `${name} ${JSON.stringify(given)}`).toBe(
          'malformed',
        );
  });

  overEveryLink('[BUG-108] a value of the wrong type does not fit', over, async ({ client, revision }) => {
    for (const name of names.filter((each) => each !== 'no properties'))
      expect(await outcomeOf(client, revision, { name, arguments: { a: 5 } }), name).toBe('does not fit');
    expect(await outcomeOf(client, revision, { name: 'no properties', arguments: { a: 5 } })).toBe('ran');
  });

  overEveryLink('[BUG-108] a member nobody knows is for the schema to judge', over, async ({ client, revision }) => {
    for (const name of names) {
      const args = name === 'says nothing' ? { more: 1 } : { a: 'x', more: 1 };
      expect(await outcomeOf(client, revision, { name, arguments: args }, 'more'), name).toBe(
        strict.includes(name) ? 'does not fit' : 'ran',
      );
    }
  });

  overEveryLink('[BUG-108] __proto__ is a name like others', over, async ({ client, revision }) => {
    const args = JSON.parse('{"a":"x","__proto__":{"polluted":true}}') as JsonObject;
    for (const name of names) {
      const lax = name === 'no properties' || name === 'all optional' || name === 'one required';
      if (lax) {
        const { content } = await client.sendRequest('tools/call', { name, arguments: args });
        expect((content as { text: string }[])[0]?.text, name).toBe('{"a":"x","__proto__":{"polluted":true}}');
      } else await outcomeOf(client, revision, { name, arguments: args }, '');
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect({}).not.toHaveProperty('polluted');
    expect(await outcomeOf(client, revision, { name: 'strict', arguments: args }, '__proto__')).toBe('does not fit');
  });

  overEveryLink('[BUG-108] a long text arrives whole', { server: serverOfAll }, async ({ client }) => {
    const a = 'é"\\\n👩‍🚀'.repeat(70_000);
    expect(Buffer.byteLength(a)).toBeGreaterThan(1024 * 1024);
    const { text } = await client.callTool('one required', { a });
    expect(JSON.parse(text)).toEqual({ a });
  });

  overEveryLink('[BUG-108] an unknown tool is -32602, whatever its arguments', over, async ({ client }) => {
    for (const args of [undefined, null, {}, [], '{}', 5])
      expect(await rpcOf(client.sendRequest('tools/call', { name: 'nobody', arguments: args }))).toMatchObject({
        code: -32602,
      });
  });
});
