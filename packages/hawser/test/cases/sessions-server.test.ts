/** Clients that never end their sessions, end them, or never get one. */
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/testing/clock.ts';
import { doorEndpoint } from '../support/door.ts';
import { example } from '../support/example.ts';
import { expectRefusal, initialize, openSession, type Sent } from '../support/http.ts';

const idleMs = 30 * 60_000;

function open(options: Parameters<typeof doorEndpoint>[1] = {}) {
  const clock = new VirtualClock();
  return { clock, endpoint: doorEndpoint(example().server, { clock, ...options }) };
}

test('[BUG-039] 1,000 sessions whose client is gone are 0 when their time is over', async () => {
  const { clock, endpoint } = open();
  for (let at = 0; at < 1_000; at++) {
    const session = await openSession(endpoint);
    // Some leave a stream behind, some a stream that was left.
    if (at % 10 === 0) await endpoint.fly(session.get()).head;
    if (at % 10 !== 1) continue;
    const flight = endpoint.fly(session.get());
    await flight.head;
    flight.leave();
  }
  expect(endpoint.open.sessions).toBe(1_000);
  await clock.advance(idleMs);
  expect([endpoint.open.sessions, clock.pending]).toEqual([0, 0]);
});

test('[BUG-039] 1,000 sessions that were ended are 0 at once', async () => {
  const { clock, endpoint } = open();
  for (let at = 0; at < 1_000; at++) {
    const session = await openSession(endpoint);
    expect(endpoint.open.sessions).toBe(1);
    await endpoint.send(session.delete());
    expect([endpoint.open.sessions, clock.pending]).toEqual([0, 0]);
  }
});

test('[BUG-039] 1,000 handshakes that were refused are none', async () => {
  const { clock, endpoint } = open({
    authenticate: ({ header }) => (header('authorization') === 'no' ? { status: 401 } : { principal: undefined }),
  });
  const refused: Sent[] = [
    initialize('2025-11-25', { accept: 'text/html' }),
    initialize('2025-11-25', { authorization: 'no' }),
    initialize('2025-11-25', { 'content-type': 'text/plain' }),
    initialize(5),
  ];
  for (let at = 0; at < 250; at++)
    for (const sent of refused) expect((await endpoint.send(sent)).status).toBeGreaterThanOrEqual(400);
  expect([endpoint.open.sessions, clock.pending]).toEqual([0, 0]);
});

test('[BUG-039] a principal that opens without end gets 503 when all of its own are at work, and costs nobody else', async () => {
  const { endpoint } = open({
    maxSessionsPerPrincipal: 5,
    authenticate: ({ header }) => ({ principal: header('authorization') }),
  });
  const bob = await openSession(endpoint, '2025-11-25', { authorization: 'bob' });
  for (let at = 0; at < 1_000; at++) {
    await endpoint.send(initialize('2025-11-25', { authorization: 'ann' }));
    expect(endpoint.open.sessions).toBeLessThanOrEqual(6);
  }
  for (let at = 0; at < 5; at++) {
    const session = await openSession(endpoint, '2025-11-25', { authorization: 'ann' });
    await endpoint.fly(session.get()).head;
  }
  const full = await endpoint.send(initialize('2025-11-25', { authorization: 'ann' }));
  expectRefusal(full, 503, -32603, 0);
  expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
  expect((await endpoint.send(bob.call('echo'))).status).toBe(200);
  expect((await endpoint.send(initialize('2025-11-25', { authorization: 'cid' }))).status).toBe(200);
});
