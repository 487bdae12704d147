/** Tools whose schemas are broken, of other dialects, or lead elsewhere: on the client, and on the server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ArgumentError, InvalidResponseError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import type { ScriptedHandler } from '../../src/testing/scripted.ts';
import { openLink, openScripted } from '../support/links.ts';
import { opening, recorder } from '../support/stdio.ts';

const good = { name: 'good', inputSchema: { type: 'object' } };
const content = [{ type: 'text', text: 'a' }];

/** A server by hand that lists these tools, and answers every call with this result. */
function listing(tools: unknown[], result: JsonObject = { content }): Record<string, ScriptedHandler> {
  return {
    ...opening.modern,
    'tools/list': () => ({ resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' }),
    'tools/call': () => ({ resultType: 'complete', ...result }),
  };
}

describe('one bad tool among good ones', () => {
  const schema = { type: 'object' };

  test.each<[string, unknown]>([
    ['no inputSchema', { name: 'bad' }],
    ['inputSchema null', { name: 'bad', inputSchema: null }],
    ['inputSchema of text', { name: 'bad', inputSchema: { type: 'string' } }],
    ['no name', { inputSchema: schema }],
    ['an empty name', { name: '', inputSchema: schema }],
    ['no object', 'bad'],
  ])('[BUG-072] it is left out with a warning that says why: %s', async (_, bad) => {
    const logger = recorder();
    const { client } = await openScripted(listing([bad, good, bad]), { logger });
    expect(await client.listTools()).toEqual([good]);
    expect(logger.of('warn')).toHaveLength(2);
    expect(logger.of('warn')[0]).toMatch(/left out/);
    expect((await client.callTool('good')).text).toBe('a');
  });

  test.each<[string, JsonObject]>([
    ['description null', { description: null }],
    ['annotations null', { annotations: null }],
    ['outputSchema malformed', { outputSchema: 'none' }],
    ['outputSchema null', { outputSchema: null }],
  ])('[BUG-072] it is kept without what is broken: %s', async (_, broken) => {
    const { client } = await openScripted(listing([{ name: 't', inputSchema: schema, ...broken }, good]));
    expect(await client.listTools()).toEqual([{ name: 't', inputSchema: schema }, good]);
  });

  test.each<JsonObject>([
    {},
    { type: 'object', required: null },
    { type: 'object', properties: null },
    { type: 'object', properties: { a: true, b: false } },
    { type: 'object', properties: { coin: { type: 'string' }, required: ['coin'] } },
    { type: 'object', properties: { n: { type: 'int' } } },
  ])('[BUG-072] an input schema is the server’s business: %j', async (inputSchema) => {
    const tools = [{ name: 't', inputSchema }, good];
    const { client } = await openScripted(listing(tools));
    expect(await client.listTools()).toEqual(tools);
    expect((await client.callTool('t')).text).toBe('a');
  });

  test.each<JsonObject>([
    { type: 'object', required: null },
    { type: 'object', properties: null },
    { type: 'object', properties: { n: { type: 'int' } } },
    { type: 'object', properties: { coin: { type: 'string' }, required: ['coin'] } },
    { type: 'string' },
    {},
  ])('[BUG-072] a server of ours does not take it: %j', (input) => {
    const server = new Server({ name: 's', version: '1' });
    expect(() => server.tool('t', { input }, () => 'a')).toThrow(ArgumentError);
    server.tool('good', { input: { type: 'object', properties: { a: true, b: false } } }, () => 'a');
  });
});

describe('dialects', () => {
  const draft7 = 'http://json-schema.org/draft-07/schema#';
  const text = { type: 'string' };

  test.each<[string, JsonObject]>([
    ['none', { prefixItems: [text] }],
    ['2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [text] }],
    ['2020-12#', { $schema: 'https://json-schema.org/draft/2020-12/schema#', prefixItems: [text] }],
    ['draft-07#', { $schema: draft7, items: [text], additionalItems: false }],
    ['draft-07 by https', { $schema: 'https://json-schema.org/draft-07/schema', items: [text] }],
    ['draft-07, definitions', { $schema: draft7, definitions: { t: text }, items: { $ref: '#/definitions/t' } }],
    ['in a subschema', { prefixItems: [{ $schema: draft7, ...text }] }],
  ])('[BUG-078] $schema %s: understood on both sides', async (_, schema) => {
    const { client } = await openScripted(
      listing([{ ...good, outputSchema: schema }], { content, structuredContent: [5] }),
    );
    await client.listTools();
    await expect(client.callTool('good')).rejects.toThrow(InvalidResponseError);

    const server = new Server({ name: 's', version: '1' });
    server.tool('right', { output: schema }, () => ({ structured: ['a'] }));
    server.tool('wrong', { output: schema }, () => ({ structured: [5] }));
    const ours = await openLink('direct', '2026-07-28', server);
    expect((await ours.callTool('right')).structured).toEqual(['a']);
    await expect(ours.callTool('wrong')).rejects.toMatchObject({ rpc: { code: -32603 } });
  });

  test.each(['http://json-schema.org/draft-04/schema#', 'urn:unknown-dialect', ''])(
    '[BUG-078 JS-002] $schema %j: the tool is listed and can be called, unchecked, with one warning',
    async ($schema) => {
      const logger = recorder();
      const tool = { ...good, outputSchema: { $schema, type: 'string' } };
      const { client } = await openScripted(listing([tool], { content, structuredContent: 5 }), { logger });
      expect(await client.listTools()).toEqual([tool]);
      for (let time = 0; time < 3; time++) expect((await client.callTool('good')).structured).toBe(5);
      expect(logger.of('warn')).toEqual([expect.stringContaining('output schema')]);
    },
  );

  test.each(['http://json-schema.org/draft-04/schema#', 'urn:unknown-dialect', ''])(
    '[JS-002 BUG-078] $schema %j: a server of ours names it and what is supported',
    ($schema) => {
      const server = new Server({ name: 's', version: '1' });
      for (const definition of [{ input: { $schema, type: 'object' } }, { output: { $schema } }])
        expect(() => server.tool('t', definition, () => 'a')).toThrow(`"${$schema}" is not supported; supported: http`);
    },
  );
});

describe('references', () => {
  test('[SEED-226 JS-004 JS-006] one that leads elsewhere is not followed, by neither side', async () => {
    let hits = 0;
    const http = createServer((_, response) => {
      hits++;
      response.end('{"type":"string"}');
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const $ref = `http://127.0.0.1:${(http.address() as AddressInfo).port}/schema.json`;

    const server = new Server({ name: 's', version: '1' });
    expect(() => server.tool('t', { input: { type: 'object', properties: { a: { $ref } } } }, () => 'a')).toThrow($ref);
    expect(() => server.tool('t', { output: { $ref } }, () => 'a')).toThrow($ref);

    const logger = recorder();
    const tool = { ...good, inputSchema: { type: 'object', properties: { a: { $ref } } }, outputSchema: { $ref } };
    const { client } = await openScripted(listing([tool], { content, structuredContent: 5 }), { logger });
    expect(await client.listTools()).toEqual([tool]);
    expect((await client.callTool('good', { a: 1 })).structured).toBe(5);
    expect(logger.of('warn')).toEqual([expect.stringContaining('output schema')]);
    expect(hits).toBe(0);
  });
});
