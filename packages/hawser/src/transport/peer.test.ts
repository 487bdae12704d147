import { describe, expect, test } from 'vitest';
import { failureOf, linkByHand, modernMeta, received, recorder, serveByHand } from '../../test/support/stdio.ts';
import { Cancel } from '../base/cancel.ts';
import { settle } from '../testing/settle.ts';
import { memoryPipe } from './memory.ts';
import { pipeLink } from './pipe-client.ts';

describe('onFrame', () => {
  test('sees every line of both directions, what is no message too, without its end', async () => {
    const frames: [string, string][] = [];
    const { pair, server, link } = linkByHand({ onFrame: (direction, text) => frames.push([direction, text]) });
    const asked = link.request({ method: 'a' });
    server.raw('noise\r\n\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
    await pair.run();
    await asked;
    await link.notify({ method: 'b' });
    expect(frames).toEqual([
      ['out', '{"jsonrpc":"2.0","id":1,"method":"a"}'],
      ['in', 'noise'],
      ['in', '{"jsonrpc":"2.0","id":1,"result":{}}'],
      ['out', '{"jsonrpc":"2.0","method":"b"}'],
    ]);
  });

  test('one that throws is reported, and the messages pass', async () => {
    const logger = recorder();
    const onFrame = () => {
      throw new Error('oops');
    };
    const { pair, server, link } = linkByHand({ onFrame, logger });
    const asked = link.request({ method: 'a' });
    server.send({ jsonrpc: '2.0', id: 1, result: {} });
    await pair.run();
    expect(await asked).toEqual({ result: {} });
    expect(logger.of('error')).toEqual(['a listener threw', 'a listener threw']);
    expect(link.open).toBe(0);
  });

  test('one that gives the call up as it goes out: the request is written, then its cancellation', async () => {
    const cancel = new Cancel();
    const onFrame = (direction: string, text: string) => {
      if (direction === 'out' && text.includes('"id"')) cancel.cancel('enough');
    };
    const { pair, server, link } = linkByHand({ onFrame });
    const failed = failureOf(link.request({ method: 'a' }, { cancel }));
    await pair.run();
    expect(await failed).toMatchObject({ code: 'aborted' });
    expect(received(server).map((message) => message['method'])).toEqual(['a', 'notifications/cancelled']);
  });
});

describe('listeners', () => {
  test('a listener of notices that throws is reported, and what follows is heard', async () => {
    const logger = recorder();
    const heard: string[] = [];
    const inbound = {
      notice: ({ method }: { method: string }) => {
        heard.push(method);
        throw new Error('oops');
      },
    };
    const { pair, server } = linkByHand({ logger }, inbound);
    server.notify('a');
    server.notify('b');
    await pair.run();
    expect(heard).toEqual(['a', 'b']);
    expect(logger.of('error')).toHaveLength(2);
  });

  test('so is a service that throws at a notice', async () => {
    const logger = recorder();
    const served = serveByHand(
      {
        answer: ({ method }) => Promise.resolve({ result: { of: method } }),
        notice: () => {
          throw new Error('oops');
        },
      },
      { logger },
    );
    const hello = { protocolVersion: '2025-11-25', capabilities: {} };
    served.client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
    served.client.notify('notifications/x');
    served.client.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await served.pair.run();
    expect(received(served.client).map((message) => message['id'])).toEqual([1, 2]);
    expect(logger.of('error')).toEqual(['a listener threw']);
  });
});

describe('the end of the pipe', () => {
  test.each([undefined, new Error('broken')])('%s: all that waits rejects once, with the reason', async (error) => {
    const { pair, link } = linkByHand();
    const failed = [1, 2, 3].map(() => failureOf(link.request({ method: 'a' })));
    await pair.run();
    pair.end('client', error);
    pair.end('client', error);
    for (const each of await Promise.all(failed))
      expect(each).toMatchObject({
        code: 'connection',
        outcome: 'unknown',
        ...(error !== undefined && { cause: error }),
      });
    expect(await link.closed).toEqual(
      error === undefined ? { by: 'peer', reason: expect.any(String) } : { by: 'fault', error },
    );
    expect(link.open).toBe(0);
    await link.notify({ method: 'x' });
  });

  test('by us: the server is told politely, what waits rejects, and closing again waits for the same end', async () => {
    const { pair, server, link } = linkByHand();
    const failed = failureOf(link.request({ method: 'a' }));
    const closing = [link.close(), link.close()];
    await pair.run();
    await Promise.all(closing);
    expect(await server.ended).toBe(undefined);
    expect(await link.closed).toEqual({ by: 'us' });
    expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
  });

  test('an answer that is on its way when we close still arrives', async () => {
    const { pair, server, link } = linkByHand();
    const asked = link.request({ method: 'a' });
    await pair.run();
    server.send({ jsonrpc: '2.0', id: 1, result: { ok: true } });
    const closed = link.close();
    await pair.run();
    await closed;
    expect(await asked).toEqual({ result: { ok: true } });
  });
});

describe('back-pressure', () => {
  test('notify resolves when there is room', async () => {
    const { pair, link } = linkByHand();
    pair.full('server', true);
    let sent = false;
    void link.notify({ method: 'x' }).then(() => (sent = true));
    await settle();
    expect(sent).toBe(false);
    pair.full('server', false);
    await settle();
    expect(sent).toBe(true);
  });

  test('a handler that awaits its progress keeps pace with a slow caller', async () => {
    const emitted: boolean[] = [];
    const { pair, client } = serveByHand({
      async answer(_, exchange) {
        for (let n = 0; n < 5; n++) {
          const room = exchange.emit({ method: 'notifications/progress', params: { n } });
          emitted.push(room);
          if (!room) await exchange.drained();
        }
        return { result: {} };
      },
      notice: () => {},
    });
    client.send({ jsonrpc: '2.0', id: 1, method: 'x', params: { _meta: modernMeta } });
    pair.full('client', true);
    pair.deliverAll('server');
    await settle();
    expect(emitted).toEqual([false]);
    pair.full('client', false);
    await pair.run();
    expect(emitted).toEqual([false, true, true, true, true]);
    expect(received(client)).toHaveLength(6);
  });
});

test('a pipe in memory carries all of it', async () => {
  const [near, far] = memoryPipe();
  far.start({ chunk: () => far.write('{"jsonrpc":"2.0","id":1,"result":{"ok":true}}\n'), ended: () => {} });
  const link = pipeLink(near, { answer: () => Promise.reject(new Error('not asked')), notice: () => {} });
  expect(await link.request({ method: 'a' })).toEqual({ result: { ok: true } });
  await link.close();
  expect(await link.closed).toEqual({ by: 'us' });
});
