import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Validator } from '../../src/ports/index.ts';
import { Server } from '../../src/entry/server.ts';
import { modernRevisions, openLink } from '../support/links.ts';

/** An engine that knows one keyword of its own, and keeps what it was asked to compile. */
function plugged() {
  const asked: { schema: JsonObject; trusted: boolean }[] = [];
  const validator: Validator = {
    compile(schema: JsonObject, { trusted }: { trusted: boolean }) {
      asked.push({ schema, trusted });
      const { 'x-largest': largest } = schema;
      return (value: unknown) =>
        JSON.stringify(value).length > Number(largest)
          ? [{ path: '/a', message: 'is too large, says x-largest' }]
          : undefined;
    },
  };
  return { asked, validator };
}

test('[JS-008] another engine can be plugged in on either side, and gets schemas as they are', async () => {
  const [own, peers] = [plugged(), plugged()];
  const a = { type: 'string', 'x-mcp-header': 'A' };
  const input = { type: 'object', properties: { a }, 'x-largest': 20 };
  const server = new Server({ name: 's', version: '1', validator: own.validator });
  server.tool('t', { input, output: { 'x-largest': 30 } }, (args) => ({
    structured: { a: String(args['a']).repeat(3) },
  }));
  const client = await openLink('direct', modernRevisions[0] ?? '2026-07-28', server, { validator: peers.validator });

  await client.listTools();
  expect((await client.callTool('t', { a: 'a' })).structured).toEqual({ a: 'aaa' });
  const refused = await client.callTool('t', { a: 'a'.repeat(20) });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('says x-largest') as unknown });
  expect(own.asked).toContainEqual({ schema: input, trusted: true });
  expect(own.asked.map(({ trusted }) => trusted)).not.toContain(false);
  expect(peers.asked).toEqual([{ schema: { 'x-largest': 30 }, trusted: false }]);
});
