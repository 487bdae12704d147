import { describe, expect, test } from 'vitest';
import { steppedPair } from './pipes.ts';
import { scriptedClient, scriptedServer } from './scripted.ts';
import { settle } from './settle.ts';

function joined(
  serverHandlers: Parameters<typeof scriptedServer>[1] = {},
  clientHandlers: Parameters<typeof scriptedClient>[1] = {},
) {
  const pair = steppedPair();
  const server = scriptedServer(pair.server, serverHandlers);
  const client = scriptedClient(pair.client, clientHandlers);
  return { pair, server, client };
}

describe('requests', () => {
  test('a handler answers; its error is an error response', async () => {
    const { pair, client } = joined({
      'tools/list': () => ({ tools: [] }),
      'tools/call': async (request) => {
        await Promise.resolve();
        throw new Error(`no tool ${String(request.params?.['name'])}`);
      },
    });
    const list = client.request('tools/list');
    const call = client.request('tools/call', { name: 'x' });
    await pair.run();
    expect(await list).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
    expect(await call).toEqual({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'no tool x' } });
  });

  test('what has no handler waits for expect, by method and in order', async () => {
    const { pair, client, server } = joined();
    const early = server.expect('b');
    const first = client.request('a', { n: 1 });
    const second = client.request('a', { n: 2 }, 'two');
    const third = client.request('b');
    await pair.run();
    expect(server.unread).toEqual(['a', 'a']);
    const one = await server.expect('a');
    const two = await server.expect('a');
    expect([one.params, two.params, two.id]).toEqual([{ n: 1 }, { n: 2 }, 'two']);
    expect(server.unread).toEqual([]);
    two.reply({ which: 'two' });
    one.fail({ code: -1, message: 'one', data: [1] });
    (await early).reply({});
    await pair.run();
    expect(await first).toMatchObject({ id: 1, error: { code: -1, message: 'one', data: [1] } });
    expect(await second).toMatchObject({ id: 'two', result: { which: 'two' } });
    expect(await third).toMatchObject({ id: 2, result: {} });
  });

  test('ids 1 and "1" are different', async () => {
    const { pair, client, server } = joined();
    const number = client.request('a', {}, 1);
    const text = client.request('a', {}, '1');
    await pair.run();
    const one = await server.expect('a');
    (await server.expect('a')).reply({ was: 'text' });
    one.reply({ was: 'number' });
    await pair.run();
    expect(await number).toMatchObject({ result: { was: 'number' } });
    expect(await text).toMatchObject({ result: { was: 'text' } });
  });

  test('the server asks too, and batches are taken apart', async () => {
    const { pair, client, server } = joined({}, { 'roots/list': () => ({ roots: [] }) });
    const asked = server.request('roots/list');
    server.send([{ jsonrpc: '2.0', id: 8, method: 'ping' }, { jsonrpc: '2.0', method: 'note' }, 'no message']);
    await pair.run();
    expect(await asked).toMatchObject({ result: { roots: [] } });
    expect((await client.expect('ping')).id).toBe(8);
    expect(await client.expectNote('note')).toMatchObject({ method: 'note' });
  });

  test('notifications are no requests', async () => {
    const { pair, client, server } = joined({ note: () => ({ wrong: true }) });
    client.notify('note', { a: 1 });
    await pair.run();
    expect(await server.expectNote('note')).toEqual({ jsonrpc: '2.0', method: 'note', params: { a: 1 } });
    expect(client.lines).toHaveLength(1);
    expect(server.unread).toEqual([]);
  });
});

describe('misbehaviour', () => {
  test('raw text goes out as it is, from an answer as well', async () => {
    const { pair, client, server } = joined();
    void client.request('a');
    await pair.run();
    (await server.expect('a')).raw('{"half');
    server.raw('":1}\r\nnot json\n\n');
    expect(pair.peek('client')).toBe('{"half":1}\r\nnot json\n\n');
    await pair.run();
    expect(client.lines.slice(1).map((line) => line.text)).toEqual(['{"half":1}\r', 'not json', '']);
    expect(server.lines.slice(1).map((line) => line.text)).toEqual(['{"half":1}\r', 'not json', '']);
  });

  test('lines of both directions are kept in order, however they are cut', async () => {
    const { pair, client, server } = joined({ é: () => ({ ok: 'ü' }) });
    void client.request('é');
    while (pair.cut('server', 1)) void 0;
    await settle();
    pair.cut('client', 3);
    expect(client.unfinished).toBe('{"j');
    while (pair.cut('client', 1)) void 0;
    const request = '{"jsonrpc":"2.0","id":1,"method":"é"}';
    const response = '{"jsonrpc":"2.0","id":1,"result":{"ok":"ü"}}';
    expect(server.lines).toEqual([
      { direction: 'in', text: request },
      { direction: 'out', text: response },
    ]);
    expect(client.lines).toEqual([
      { direction: 'out', text: request },
      { direction: 'in', text: response },
    ]);
    expect(client.unfinished).toBe('');
  });

  test('a byte order mark is kept in the record', async () => {
    const { pair, client, server } = joined();
    server.raw('\uFEFF{}\n');
    await pair.run();
    expect(client.lines[0]?.text).toBe('\uFEFF{}');
  });
});

describe('the end of the pipe', () => {
  test('every wait rejects, earlier and later ones', async () => {
    const { pair, client, server } = joined();
    const waits = [server.expect('a'), server.expectNote('a'), server.request('a')];
    const error = new Error('broken');
    pair.end('server', error);
    waits.push(server.expect('a'));
    for (const wait of waits) {
      await expect(wait).rejects.toThrow(expect.objectContaining({ message: 'the pipe has ended', cause: error }));
    }
    expect(await server.ended).toBe(error);
    pair.end('client');
    expect(await client.ended).toBe(undefined);
  });

  test('what came before the end can still be taken', async () => {
    const { pair, client, server } = joined();
    void client.request('a');
    const closed = client.close();
    await pair.run();
    await closed;
    expect((await server.expect('a')).method).toBe('a');
    await expect(server.expect('a')).rejects.toThrow('the pipe has ended');
  });
});
