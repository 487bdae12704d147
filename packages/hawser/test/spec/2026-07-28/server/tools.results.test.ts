/** server/tools: schemas of tools and what tools give back. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ArgumentError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ContentBlock, Revision } from '../../../../src/model/types.ts';
import { Server, type ServerOptions } from '../../../../src/server/server.ts';
import { revisions } from '../../../../src/wire/index.ts';
import { legacyRevisions, modernRevisions, openLink, overEveryLink } from '../../../support/links.ts';
import { rpcOf } from '../../../support/rpc.ts';

const bare = (options: Partial<ServerOptions> = {}): Server => new Server({ name: 's', version: '1', ...options });
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } };
const modernOnly = { revisions: modernRevisions };
const legacyOnly = { revisions: legacyRevisions };

describe('Data Types', () => {
  test.each<[string, JsonObject]>([
    ['a string', { type: 'string' }],
    ['no type', {}],
    ['no type, with properties', { properties: { a: {} } }],
    ['several types', { type: ['object', 'null'] }],
    ['a choice of objects', { anyOf: [{ type: 'object' }] }],
  ])('[TOOL-006] arguments are an object: %s is refused', (_, input) => {
    expect(() => bare().tool('t', { input }, () => 'a')).toThrow(/type: "object"/);
  });

  test('[TOOL-006] so is a Standard Schema of anything else, and null', () => {
    expect(() => bare().tool('t', { input: z.string() }, () => 'a')).toThrow(ArgumentError);
    expect(() => bare().tool('t', { input: z.union([z.object({ a: z.string() }), z.object({})]) }, () => 'a')).toThrow(
      ArgumentError,
    );
    expect(() => bare().tool('t', { input: null as unknown as JsonObject }, () => 'a')).toThrow(ArgumentError);
  });

  test('[TOOL-006] a tool that says nothing of arguments takes none', async () => {
    const client = await openLink(
      'direct',
      '2026-07-28',
      bare().tool('t', {}, () => 'a'),
    );
    expect((await client.listTools())[0]?.inputSchema).toEqual({ type: 'object', additionalProperties: false });
    expect((await client.callTool('t', {})).text).toBe('a');
    const refused = await client.callTool('t', { x: 1 });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('/x')]);
  });

  const output = { type: 'array', items: { type: 'integer' } };
  const listing = (): Server => bare().tool('t', { output }, () => ({ structured: [1, 2] }));

  overEveryLink(
    '[TOOL-008] an output schema may have any root',
    { server: listing, ...modernOnly },
    async ({ client }) => {
      expect((await client.listTools())[0]?.outputSchema).toEqual(output);
      expect((await client.callTool('t')).structured).toEqual([1, 2]);
    },
  );

  overEveryLink(
    '[B-67 TOOL-016] a legacy caller is not shown one that is not of an object, and gets text',
    { server: listing, ...legacyOnly },
    async ({ client }) => {
      expect((await client.listTools())[0]).not.toHaveProperty('outputSchema');
      expect(await client.sendRequest('tools/call', { name: 't' })).toStrictEqual({
        content: [{ type: 'text', text: '[1,2]' }],
      });
    },
  );
});

describe('Tool Result', () => {
  const blocks: ContentBlock[] = [
    {
      type: 'text',
      text: 'a',
      annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-07-28' },
      _meta: { b: 1 },
    },
    { type: 'image', data: 'AA==', mimeType: 'image/png', _meta: { b: 2 } },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'x:y', name: 'n', title: 'N', size: 5, _meta: { b: 3 } },
    { type: 'resource', resource: { uri: 'x:y', mimeType: 'text/plain', text: 'b', _meta: { b: 4 } } },
    { type: 'resource', resource: { uri: 'x:z', blob: 'AA==' } },
  ];
  const known: Record<Revision, (type: string) => boolean> = {
    '2024-11-05': (type) => type !== 'audio' && type !== 'resource_link',
    '2025-03-26': (type) => type !== 'resource_link',
    '2025-06-18': () => true,
    '2025-11-25': () => true,
    '2026-07-28': () => true,
  };

  overEveryLink(
    '[TOOL-019 B-68 META-021] content the revision knows passes untouched, other content becomes text',
    { server: () => bare().tool('t', {}, () => blocks) },
    async ({ client, revision }) => {
      const { content } = await client.callTool('t');
      expect(content).toEqual(
        blocks.map((block) =>
          known[revision](block.type) ? block : { type: 'text', text: expect.any(String) as unknown },
        ),
      );
    },
  );

  overEveryLink(
    '[TOOL-026] a link to a resource needs no resources capability',
    { server: () => bare().tool('t', {}, () => [blocks[3]!]), ...modernOnly },
    async ({ client }) => {
      expect(client.capabilities).not.toHaveProperty('resources');
      expect((await client.callTool('t')).content).toEqual([blocks[3]]);
    },
  );
});

describe('Structured Content', () => {
  const values = [null, [], [1, 'a'], '', 'text', 0, -1.5, false, true, {}, { a: { b: [null] } }];
  const giving = (): Server => {
    const server = bare();
    values.forEach((structured, at) => server.tool(`v${at}`, {}, () => ({ structured })));
    return server.tool('none', {}, () => ({ text: 'a' }));
  };

  overEveryLink(
    '[TOOL-015 TOOL-016 B-66] any JSON value, in a text block too; absent is absent',
    { server: giving, ...modernOnly },
    async ({ client }) => {
      for (const [at, value] of values.entries()) {
        const result = await client.sendRequest('tools/call', { name: `v${at}` });
        expect(result).toStrictEqual({
          resultType: 'complete',
          content: [{ type: 'text', text: JSON.stringify(value) }],
          structuredContent: value,
          _meta: serverInfo,
        });
      }
      expect(await client.sendRequest('tools/call', { name: 'none' })).not.toHaveProperty('structuredContent');
    },
  );

  const since = (revision: Revision): boolean => revision !== '2024-11-05' && revision !== '2025-03-26';

  overEveryLink(
    '[B-67 TOOL-016] to legacy callers only objects go as such, and only since 2025-06-18',
    { server: giving, ...legacyOnly },
    async ({ client, revision }) => {
      for (const [at, value] of values.entries()) {
        const result = await client.sendRequest('tools/call', { name: `v${at}` });
        const shown = typeof value === 'object' && value !== null && !Array.isArray(value) && since(revision);
        expect(result).toStrictEqual({
          content: [{ type: 'text', text: JSON.stringify(value) }],
          ...(shown && { structuredContent: value }),
        });
      }
    },
  );
});

describe('Output Schema', () => {
  const output = {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  };
  const ok = { structured: { ok: true } };
  const violations: Record<string, unknown> = {
    'a value of the wrong type': { content: [], structured: { ok: 'yes' } },
    null: { structured: null },
    'a list': { structured: [] },
    'a member too many': { structured: { ok: true, secret: 'hunter2' } },
    'no structured content': { content: [{ type: 'text', text: 'hunter2' }] },
    'text alone': 'hunter2',
    nothing: undefined,
  };
  const failures: Record<string, unknown> = {
    'with text': { isError: true, text: 'no' },
    'with other structured content': { isError: true, text: 'no', structured: { error: { code: 1 } } },
    'with structured content alone': { isError: true, structured: ['no'] },
  };
  const logged: unknown[] = [];
  const returning = (returned: Record<string, unknown>): Server => {
    logged.length = 0;
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => void logged.push(message) };
    const server = bare({ logger });
    for (const [name, given] of Object.entries(returned)) server.tool(name, { output }, () => given as never);
    return server;
  };

  overEveryLink(
    '[TOOL-017] a result that conforms goes out',
    { server: () => returning({ ok }), revisions: revisions.slice(0, 3) },
    async ({ client }) => {
      expect((await client.callTool('ok')).structured).toEqual({ ok: true });
    },
  );

  overEveryLink(
    "[TOOL-017 TOOL-020 BUG-073] one that does not is the server's fault, told to its log alone",
    { server: () => returning(violations) },
    async ({ client }) => {
      const names = Object.keys(violations);
      for (const name of names) {
        const error = { code: -32603, message: `tool "${name}" gave an invalid result: the server's log says why` };
        expect(await rpcOf(client.callTool(name))).toEqual(error);
      }
      expect(logged).toEqual(names.map((name) => expect.stringMatching(`^tool "${name}": .*(?:schema|structured)`)));
    },
  );

  overEveryLink(
    '[TOOL-017 BUG-073] a failure needs not conform',
    { server: () => returning(failures) },
    async ({ client }) => {
      await client.listTools();
      for (const name of Object.keys(failures)) {
        const result = await client.callTool(name);
        expect([result.isError, result.text], name).toEqual([true, expect.stringContaining('no')]);
      }
      expect(logged).toEqual([]);
    },
  );

  test('[B-66] null is checked where it is given', async () => {
    const server = bare()
      .tool('may', { output: { type: ['object', 'null'] } }, () => ({ structured: null }))
      .tool('may not', { output: { type: 'object' } }, () => ({ structured: null as never }));
    const client = await openLink('direct', '2026-07-28', server);
    const { structured, raw } = await client.callTool('may');
    expect([structured, Object.hasOwn(raw, 'structuredContent')]).toEqual([null, true]);
    expect(await rpcOf(client.callTool('may not'))).toMatchObject({ code: -32603 });
  });

  overEveryLink(
    '[TOOL-017] a library that fills in and leaves out has its way, in text as well',
    {
      server: () =>
        bare().tool('t', { output: z.object({ ok: z.boolean(), n: z.number().default(3) }) }, () => ({
          structured: { ok: true, more: 'hidden' },
        })),
      revisions: revisions.slice(0, 3),
    },
    async ({ client }) => {
      await client.listTools();
      const result = await client.callTool('t');
      expect(result.structured).toEqual({ ok: true, n: 3 });
      expect(JSON.parse(result.text)).toEqual({ ok: true, n: 3 });
    },
  );

  test.each<[JsonObject, boolean]>([
    [{ type: 'int' }, true],
    [{ $ref: '#/nowhere' }, true],
    [{ $ref: 'https://s.test/schema.json' }, true],
    [{ pattern: '(' }, true],
    [{ required: null }, true],
    [{ $schema: 'urn:unknown-dialect' }, false],
  ])(
    '[JS-003 JS-006 BUG-072] a schema that cannot be used is refused when the tool is added: %j',
    (broken, anywhere) => {
      expect(() => bare().tool('t', { output: broken }, () => 'a')).toThrow(ArgumentError);
      expect(() => bare().tool('t', { input: { type: 'object', ...broken } }, () => 'a')).toThrow(ArgumentError);
      const inner = { type: 'object', properties: { a: broken } };
      if (anywhere) expect(() => bare().tool('t', { input: inner }, () => 'a')).toThrow(ArgumentError);
    },
  );
});
