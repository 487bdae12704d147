/** What servers answer notifications with, when they do not know that 202 and nothing is right. */
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import { legacyPeer, ports, type Answering } from '../support/http-peer.ts';

const answers: readonly [string, Answering][] = [
  ['202 and nothing', (turn) => turn.send(202)],
  ['202 and the text Accepted', (turn) => turn.send(202, 'Accepted', { 'content-type': 'text/plain' })],
  ['202 and {}', (turn) => turn.json({}, 202)],
  ['200, nothing and no type', (turn) => turn.send(200)],
  ['200 and null', (turn) => turn.json(null)],
  ['204', (turn) => turn.send(204)],
  ['200 and a stream that ends at once', (turn) => turn.stream().end()],
  ['200 and what looks like the reply to a call', (turn) => turn.json({ jsonrpc: '2.0', id: 1, result: {} })],
];

describe.each(ports)('$port', ({ options }) => {
  test.each(answers)('[BUG-024] a notification is taken: %s', async (_, answer) => {
    const told: string[] = [];
    const peer = await legacyPeer({
      handlers: { 'notifications/initialized': answer, 'notifications/roots/list_changed': answer },
    });
    const client = await connect(peer.url, {
      ...options,
      protocol: 'legacy',
      onNotification: ({ method }) => void told.push(method),
    });
    await client.sendNotification('notifications/roots/list_changed');
    const connections = peer.connections;
    for (let n = 0; n < 10; n += 1) {
      await client.sendNotification('notifications/roots/list_changed');
      expect((await client.callTool('echo')).text).toBe('hello');
    }
    // Each answer was read to its end, so that its connection is there for the next request.
    expect(peer.connections - connections).toBeLessThanOrEqual(1);
    expect(peer.of('notifications/roots/list_changed').length).toBe(11);
    expect(told).toEqual([]);
    await client.close();
  });

  test.each([400, 404, 500, 503])('[BUG-024] a notification is refused: %i', async (status) => {
    const peer = await legacyPeer({
      handlers: {
        'notifications/roots/list_changed': (turn) => turn.send(status, 'no', { 'content-type': 'text/plain' }),
      },
    });
    const client = await connect(peer.url, { ...options, protocol: 'legacy' });
    await expect(client.sendNotification('notifications/roots/list_changed')).rejects.toMatchObject({ status });
    expect((await client.callTool('echo')).text).toBe('hello');
    await client.close();
  });
});
