/** What a client makes of structured content: by the schema of the tool as it was when the call went out. */
import { describe, expect, test } from 'vitest';
import { InvalidResponseError, McpError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Client } from '../../src/client/client.ts';
import type { Revision } from '../../src/model/types.ts';
import type { ScriptedHandler, ScriptedPeer } from '../../src/testing/scripted.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { legacyRevisions, openScripted } from '../support/links.ts';
import { opening, recorder } from '../support/stdio.ts';

const content = [{ type: 'text', text: 'what it says' }];
const okSchema = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

/** A client of a server by hand with one tool, already listed, that answers every call with this result. */
async function listed(
  revision: Revision,
  outputSchema: JsonObject | undefined,
  result: JsonObject,
): Promise<{ client: Client; server: ScriptedPeer }> {
  const handlers: Record<string, ScriptedHandler> = {
    ...opening[revision === '2026-07-28' ? 'modern' : 'legacy'],
    'tools/list': () => ({ tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema }] }),
    'tools/call': () => result,
  };
  const scripted = await openScripted(handlers, { protocol: revision });
  await scripted.client.listTools();
  return scripted;
}

const modern = '2026-07-28';
const withStructured: readonly Revision[] = [modern, '2025-11-25', '2025-06-18'];

describe('a result that matches', () => {
  test.each(withStructured)('[TOOL-018] passes (%s)', async (revision) => {
    const { client } = await listed(revision, okSchema, { content, structuredContent: { ok: true } });
    const result = await client.callTool('t');
    expect([result.structured, result.text]).toEqual([{ ok: true }, 'what it says']);
  });

  test.each([
    [null, { type: 'null' }],
    [[1, 2], { type: 'array' }],
    ['', { type: 'string' }],
    [0, { type: 'integer' }],
    [false, { type: 'boolean' }],
  ])('[SEED-217 TOOL-015 B-66] any JSON value is content in the modern era: %j', async (structuredContent, schema) => {
    const right = await listed(modern, schema, { content, structuredContent });
    expect((await right.client.callTool('t')).structured).toEqual(structuredContent);
    const wrong = await listed(modern, { type: 'object' }, { content, structuredContent });
    await expect(wrong.client.callTool('t')).rejects.toThrow(InvalidResponseError);
  });

  test.each([undefined, null, [], { any: 1 }])('without a schema anything passes: %j', async (structuredContent) => {
    const { client } = await listed(modern, undefined, { content, structuredContent });
    expect((await client.callTool('t')).structured).toEqual(structuredContent);
  });
});

describe('a result that does not', () => {
  const violations: JsonObject[] = [
    { content, structuredContent: { ok: 'yes' } },
    { content, structuredContent: {} },
    { content, structuredContent: { ok: true, more: 1 } },
    { content, structuredContent: [] },
    { content, structuredContent: null },
    { content },
  ];
  for (const revision of withStructured)
    test.each(violations)(`[TOOL-018 BUG-073] is an error that has it: %j (${revision})`, async (result) => {
      const { client } = await listed(revision, okSchema, result);
      const error: unknown = await client.callTool('t').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidResponseError);
      expect(McpError.is(error) && error.origin).toBe('peer');
      expect((error as Error).message).toContain('tool "t"');
      expect((error as InvalidResponseError).result).toEqual(result);
    });

  test('[SEED-205] without structured content it is one that says so', async () => {
    const { client } = await listed(modern, okSchema, { content });
    await expect(client.callTool('t')).rejects.toThrow('gave no structured content');
  });

  test.each(['2025-11-25', '2025-06-18'] as const)(
    '[SEED-218] in a legacy session anything but an object is none (%s)',
    async (revision) => {
      for (const structuredContent of [null, [], 'text', 5, true]) {
        const { client } = await listed(revision, {}, { content, structuredContent });
        await expect(client.callTool('t')).rejects.toThrow('gave no structured content');
      }
    },
  );

  test.each(['2025-03-26', '2024-11-05'] as const)('%s has no structured content to check', async (revision) => {
    expect(legacyRevisions).toContain(revision);
    const { client } = await listed(revision, okSchema, { content, structuredContent: { ok: 'yes' } });
    const result = await client.callTool('t');
    expect([result.structured, result.text]).toEqual([undefined, 'what it says']);
  });
});

describe('a failure', () => {
  for (const revision of withStructured)
    test.each<JsonObject>([
      { content, isError: true },
      { content, isError: true, structuredContent: { error: { code: 1 } } },
      { content: [], isError: true },
    ])(`[SEED-202 SEED-205 BUG-073] is not judged, and its text is not lost: %j (${revision})`, async (result) => {
      const { client } = await listed(revision, okSchema, result);
      const failed = await client.callTool('t');
      expect([failed.isError, failed.content]).toEqual([true, result['content']]);
    });
});

describe('the schema', () => {
  test('[SEED-216] is the one the call went out under, whatever changes meanwhile', async () => {
    let outputSchema: JsonObject = okSchema;
    const { client, server } = await openScripted(
      {
        ...opening.legacy,
        'tools/list': () => ({ tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema }] }),
      },
      { protocol: '2025-11-25' },
    );
    await client.listTools();

    const before = client.callTool('t');
    const request = await server.expect('tools/call');
    outputSchema = { type: 'object', required: ['other'] };
    server.notify('notifications/tools/list_changed');
    await nextTurn();
    await client.listTools();
    request.reply({ content, structuredContent: { ok: true } });
    expect((await before).structured).toEqual({ ok: true });

    const after = client.callTool('t');
    (await server.expect('tools/call')).reply({ content, structuredContent: { ok: true } });
    await expect(after).rejects.toThrow(/other/);
  });

  test('[SEED-216] a change alone does not let a wrong result pass either', async () => {
    const { client, server } = await openScripted(
      {
        ...opening.legacy,
        'tools/list': () => ({ tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema: okSchema }] }),
      },
      { protocol: '2025-11-25' },
    );
    await client.listTools();
    const calling = client.callTool('t');
    const request = await server.expect('tools/call');
    server.notify('notifications/tools/list_changed');
    await nextTurn();
    request.reply({ content, structuredContent: { ok: 5 } });
    await expect(calling).rejects.toThrow(InvalidResponseError);
  });

  test('of a list that a change overtakes is not kept', async () => {
    const { client, server } = await openScripted(opening.legacy, { protocol: '2025-11-25' });
    const listing = client.listTools();
    const request = await server.expect('tools/list');
    server.notify('notifications/tools/list_changed');
    await nextTurn();
    request.reply({ tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema: okSchema }] });
    expect(await listing).toHaveLength(1);
    const calling = client.callTool('t');
    (await server.expect('tools/call')).reply({ content, structuredContent: { changed: true } });
    expect((await calling).structured).toEqual({ changed: true });
  });

  test('of a tool that was never listed is not known: nothing is judged', async () => {
    const { client } = await openScripted({
      ...opening.modern,
      'tools/call': () => ({ content, structuredContent: 'anything' }),
    });
    expect((await client.callTool('t')).structured).toBe('anything');
  });

  test('that cannot be used is told of once, and judges nothing', async () => {
    const logger = recorder();
    const tool = { name: 't', inputSchema: { type: 'object' }, outputSchema: { type: 'object', title: 5 } };
    const { client } = await openScripted(
      {
        ...opening.modern,
        'tools/list': () => ({ tools: [tool] }),
        'tools/call': () => ({ content, structuredContent: 'anything' }),
      },
      { logger },
    );
    expect(await client.listTools()).toEqual([tool]);
    await client.callTool('t');
    expect((await client.callTool('t')).structured).toBe('anything');
    expect(logger.of('warn')).toEqual(['tool "t": its output schema cannot be used']);
  });

  test('[SEED-214] that uses what is not evaluated is told of once, and judges the rest', async () => {
    const logger = recorder();
    const outputSchema = { type: 'object', properties: { to: { type: 'string', format: 'email' } } };
    const { client } = await openScripted(
      {
        ...opening.modern,
        'tools/list': () => ({ tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema }] }),
        'tools/call': ({ params }) => ({
          content,
          structuredContent: params?.['arguments'],
        }),
      },
      { logger },
    );
    await client.listTools();
    expect((await client.callTool('t', { to: 'nobody' })).structured).toEqual({ to: 'nobody' });
    await expect(client.callTool('t', { to: 5 })).rejects.toThrow(InvalidResponseError);
    expect(logger.of('warn')).toEqual([
      'tool "t": validation is partial: its output schema uses format, which is not evaluated',
    ]);
  });
});
