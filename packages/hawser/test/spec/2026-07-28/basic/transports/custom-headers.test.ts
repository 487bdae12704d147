/** basic/transports/streamable-http "Custom Headers from Tool Parameters": both sides of ours together. */
import { assert, asyncProperty, boolean, maxSafeInteger, option, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { Server } from '../../../../../src/server/server.ts';
import { openLink } from '../../../../support/links.ts';

const mirrored = (name: string, type = 'string'): JsonObject => ({ type, 'x-mcp-header': name });
const input = {
  type: 'object',
  properties: {
    text: mirrored('Text'),
    count: mirrored('Count', 'integer'),
    flag: mirrored('Flag', 'boolean'),
    deep: { type: 'object', properties: { er: mirrored('deep.er!') } },
  },
};

/** A server whose tool tells which mirrored headers came, and what it was given. */
function telling(): Server {
  return new Server({ name: 's', version: '1' })
    .tool('t', { input }, (args, { caller }) => {
      const headers = ['text', 'count', 'flag', 'deep.er!'].map((name) => caller.header?.(`mcp-param-${name}`) ?? null);
      return { structured: { args, headers } };
    })
    .tool('other', { input: { type: 'object', properties: { text: mirrored('TEXT') } } }, ({ text }) => String(text));
}

const someText = string({ unit: 'binary' });
const someArguments = record(
  {
    text: option(someText),
    count: option(maxSafeInteger()),
    flag: option(boolean()),
    deep: option(record({ er: option(someText) }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);

/** Without the members that are null, as the schema wants it: the types have no null. */
const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, typeof member === 'object' ? withoutNulls(member as JsonObject) : member]),
  );

describe.each(['web', 'http'] as const)('over %s', (link) => {
  test('[HTTP-036 HTTP-045 HTTP-048] whatever the arguments, client and server agree, and headers are safe', async () => {
    const client = await openLink(link, '2026-07-28', telling());
    await client.listTools();
    await assert(
      asyncProperty(someArguments, async (given) => {
        const args = withoutNulls(given);
        const { structured } = await client.callTool('t', args);
        const { args: arrived, headers } = structured as { args: unknown; headers: (string | null)[] };
        expect(arrived).toEqual(JSON.parse(JSON.stringify(args)));
        for (const header of headers) expect(header ?? '').toMatch(/^[\x20-\x7e]*$/);
        const values = [args['text'], args['count'], args['flag'], (args['deep'] as JsonObject | undefined)?.['er']];
        expect(headers.map((header) => header !== null)).toEqual(values.map((value) => value !== undefined));
      }),
      { numRuns: 50 },
    );
  });

  test('[B-32] tools may share a header', async () => {
    const client = await openLink(link, '2026-07-28', telling());
    await client.listTools();
    expect((await client.callTool('other', { text: 'é' })).text).toBe('é');
    expect((await client.callTool('t', { text: 'a' })).structured).toMatchObject({ headers: ['a', null, null, null] });
  });

  test.each(['\ud800', 'a\udc00b'])(
    '[B-28] half a surrogate pair is not mirrored faithfully, so the call is refused: %j',
    async (text) => {
      const client = await openLink(link, '2026-07-28', telling());
      await client.listTools();
      const refused: unknown = await client.callTool('t', { text }).catch((error: unknown) => error);
      expect(McpError.is(refused) && [refused.code, refused.outcome]).toEqual(['header_mismatch', 'refused']);
    },
  );
});

describe('over links without headers', () => {
  test.each(['direct', 'pipe'] as const)('[HTTP-036] annotations change nothing (%s)', async (link) => {
    const client = await openLink(link, '2026-07-28', telling());
    await client.listTools();
    expect((await client.callTool('t', { text: '\ud800', count: 5 })).structured).toMatchObject({
      headers: [null, null, null, null],
    });
  });
});
