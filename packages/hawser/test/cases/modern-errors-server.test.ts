/** Versions that are not served, as the server reports them over HTTP. */
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import { call, doors, expectRefusal } from '../support/http.ts';

const key = 'io.modelcontextprotocol/protocolVersion';

describe.each(doors)('$name', ({ open }) => {
  test.each(['2099-01-01', 'foobar', '', '2026-7-28', '2026-07-28T00:00', '20260728', 'DRAFT-2026-v1', '2026-07-28 x'])(
    '[BUG-120] version %j: 400 and -32022 with the list and the id',
    async (version) => {
      const { server, runs } = example();
      const endpoint = await open(server);
      const sent = call(
        'echo',
        {},
        { id: 'v', headers: { 'mcp-protocol-version': version }, meta: { [key]: version } },
      );
      const answer = await endpoint.send(sent);
      expectRefusal(answer, 400, -32022, 'v');
      expect(answer.error.data).toEqual({
        supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
        requested: version,
      });
      expect(runs).toEqual([]);
    },
  );

  test.each([20260728, null, true, ['2026-07-28'], { version: '2026-07-28' }])(
    '[BUG-120] version %j is no text: 400 and -32602',
    async (version) => {
      const endpoint = await open(example().server);
      expectRefusal(await endpoint.send(call('echo', {}, { meta: { [key]: version } })), 400, -32602, 1);
    },
  );
});
