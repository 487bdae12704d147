/** Headers and bodies of modern requests that agree, disagree, or are not there: what the server makes of them. */
import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/ports/index.ts';
import { example } from '../support/example.ts';
import {
  call,
  doors,
  expectRefusal,
  initialize,
  modern,
  nodeEndpoint,
  openSession,
  usual,
  webEndpoint,
  type Answer,
  type Endpoint,
  type Sent,
} from '../support/http.ts';

describe.each(doors)('Mcp-Name, $name', ({ open }) => {
  const uri = 'file:///Załączniki/raport.pdf';
  const encoded = '=?base64?ZmlsZTovLy9aYcWCxIVjem5pa2kvcmFwb3J0LnBkZg==?=';
  /** Resources are what the case is about: this service has them all. */
  const library: Service = {
    answer: ({ method, params }) => Promise.resolve({ result: { read: method, uri: params?.['uri'] } }),
    notice: () => undefined,
  };
  const read = (value: string | undefined, id = 'r'): Sent => ({
    ...modern('resources/read', { uri }, { id, headers: { 'mcp-name': value } }),
  });

  test('[BUG-117] an encoded name is what it stands for', async () => {
    const endpoint = await open(library);
    expect((await endpoint.send(read(encoded))).result).toEqual({ read: 'resources/read', uri });
    const { server } = example();
    const tools = await open(server);
    expect((await tools.send(call('echo', {}, { headers: { 'mcp-name': 'echo' } }))).status).toBe(200);
    expect((await tools.send(call('echo', {}, { headers: { 'mcp-name': '=?base64?ZWNobw==?=' } }))).status).toBe(200);
  });

  test.each([
    ['broken base64', '=?base64?ZmlsZTovLy9aYcWCxIV?='],
    ['base64 without its padding', encoded.replace('==?=', '?=')],
    ['no UTF-8 inside', '=?base64?//79?='],
    ['an upper-case marker', encoded.replace('base64', 'BASE64')],
    ['a wrong name inside', '=?base64?ZmlsZTovLy94?='],
    ['encoded twice', `=?base64?${Buffer.from(encoded).toString('base64')}?=`],
    ['nothing inside', '=?base64??='],
    ['missing', undefined],
    ['empty', ''],
  ])('[BUG-117] %s: 400 and -32020 with the id', async (_, value) => {
    const endpoint = await open(library);
    expectRefusal(await endpoint.send(read(value)), 400, -32020, 'r');
  });
});

describe('the version in the header and in _meta', () => {
  const headers = [undefined, '2025-03-26', '2025-11-25', '2026-07-28', '1900-01-01', ''] as const;
  const bodies = [undefined, '2025-11-25', '2026-07-28', '1900-01-01'] as const;
  const key = 'io.modelcontextprotocol/protocolVersion';

  function pair(header: string | undefined, body: string | undefined, more: Sent['headers'] = {}): Sent {
    const _meta = body === undefined ? undefined : { [key]: body, 'io.modelcontextprotocol/clientCapabilities': {} };
    return {
      headers: { ...usual, 'mcp-method': 'tools/call', 'mcp-name': 'echo', 'mcp-protocol-version': header, ...more },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {}, _meta } },
    };
  }

  /** How it was answered: `modern` or `legacy` if it was served, else status and code. */
  function outcome(answer: Answer): string {
    if (answer.status !== 200) {
      expectRefusal(answer, answer.status, answer.error.code, 1);
      return `${answer.status} ${answer.error.code}`;
    }
    return 'resultType' in answer.result ? 'modern' : 'legacy';
  }

  async function everyPair(endpoint: Endpoint, more?: Sent['headers']): Promise<string[][]> {
    const rows: string[][] = [];
    for (const header of headers) {
      const row: string[] = [];
      for (const body of bodies) row.push(outcome(await endpoint.send(pair(header, body, more))));
      rows.push(row);
    }
    return rows;
  }

  const mismatch = '400 -32020';
  const invalid = '400 -32602';
  const unsupported = '400 -32022';
  const refused = '400 -32600';
  /** What every door answers to a pair that has a modern or an unknown side, or two sides that differ. */
  const shared = (legacy: { bare: string; said: string; unknown: string }) => [
    // _meta:   absent         2025-11-25   2026-07-28   1900-01-01
    [legacy.bare, legacy.said, mismatch, mismatch],
    [legacy.bare, mismatch, mismatch, mismatch],
    [legacy.bare, unsupported, mismatch, mismatch],
    [invalid, mismatch, 'modern', mismatch],
    [legacy.unknown, mismatch, mismatch, unsupported],
    [refused, mismatch, mismatch, mismatch],
  ];

  test('[BUG-119] every pair, legacy callers in sessions, no session', async () => {
    const { server, runs } = example();
    const rows = await everyPair(await nodeEndpoint(server));
    expect(rows).toEqual(shared({ bare: refused, said: refused, unknown: invalid }));
    expect(runs).toEqual(['echo']);
  });

  test('[BUG-119] every pair, in a session', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const { id } = await openSession(endpoint);
    const rows = await everyPair(endpoint, { 'mcp-session-id': id });
    expect(rows).toEqual(shared({ bare: 'legacy', said: 'legacy', unknown: refused }));
  });

  test('[BUG-119] every pair, legacy callers without sessions', async () => {
    const expected = shared({ bare: 'legacy', said: 'legacy', unknown: invalid });
    expect(await everyPair(await nodeEndpoint(example().server, { legacy: 'stateless' }))).toEqual(expected);
    expect(await everyPair(webEndpoint(example().server))).toEqual(expected);
  });

  test('[BUG-119] an unsupported version comes with what is supported and what was asked for', async () => {
    const endpoint = await nodeEndpoint(example().server);
    for (const version of ['1900-01-01', '2025-11-25']) {
      const { error } = await endpoint.send(pair(version, version));
      expect(error.data).toMatchObject({
        requested: version,
        supported: expect.arrayContaining(['2026-07-28']) as unknown,
      });
    }
  });

  describe.each(doors)('$name', ({ open }) => {
    test('[BUG-119] Mcp-Method that differs or is missing', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const method of ['tools/list', '', undefined])
        expectRefusal(await endpoint.send(call('echo', {}, { headers: { 'mcp-method': method } })), 400, -32020, 1);
      expect(runs).toEqual([]);
    });

    test('[BUG-119] headers sent twice contradict themselves', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const twice of [
        { 'mcp-protocol-version': ['2026-07-28', '2025-11-25'] },
        { 'mcp-protocol-version': ['2025-11-25', '2026-07-28'] },
        { 'mcp-method': ['tools/call', 'tools/list'] },
        { 'mcp-name': ['echo', 'report'] },
      ])
        expectRefusal(await endpoint.send(call('echo', {}, { headers: twice })), 400, -32020, 1);
      expect(runs).toEqual([]);
    });

    test('[BUG-119] names of headers may be in any case', async () => {
      const endpoint = await open(example().server);
      const { headers, body } = call('echo');
      const odd = Object.entries(headers ?? {}).map(([name, value]) => [
        name.replace(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter)),
        value,
      ]);
      expect((await endpoint.send({ headers: Object.fromEntries(odd) as Sent['headers'], body })).status).toBe(200);
    });

    test('[BUG-119] initialize with a modern header is no handshake', async () => {
      const endpoint = await open(example().server);
      const dressed = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'initialize' };
      expectRefusal(await endpoint.send(initialize('2025-11-25', dressed)), 400, -32602, 0);
      const { params } = initialize().body as { params: Record<string, unknown> };
      expectRefusal(await endpoint.send(modern('initialize', params)), 404, -32601, 1);
    });
  });
});

describe.each(doors)('notifications, $name', ({ open }) => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
  const version = { 'mcp-protocol-version': '2026-07-28' };

  test.each([
    ['no headers at all', {}],
    ['the version', version],
    ['the version and the method', { ...version, 'mcp-method': 'notifications/cancelled' }],
    ['the method', { 'mcp-method': 'notifications/cancelled' }],
  ])('[BUG-134] cancelled with %s: 202, no body', async (_, headers) => {
    const { server, hold } = example();
    const endpoint = await open(server);
    const running = endpoint.send(call('hold', {}, { id: 5 }));
    await hold.started;
    const answer = await endpoint.send({ headers: { ...usual, ...headers }, body: cancelled });
    expect(answer).toMatchObject({ status: 202, text: '' });
    hold.release();
    // The id is of another caller for all the server knows: nothing is cancelled.
    expect((await running).content).toBe('let go');
  });

  test('[BUG-134] any other, known or not, with a modern version: 202; a contradiction: -32020', async () => {
    const endpoint = await open(example().server);
    for (const method of ['notifications/unheard-of', 'notifications/initialized', 'x']) {
      const answer = await endpoint.send({ headers: { ...usual, ...version }, body: { jsonrpc: '2.0', method } });
      expect(answer).toMatchObject({ status: 202, text: '' });
    }
    const wrong = { ...usual, ...version, 'mcp-method': 'tools/call' };
    expectRefusal(await endpoint.send({ headers: wrong, body: cancelled }), 400, -32020);
  });
});
