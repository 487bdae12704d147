/** What callers who left have missed: bounded over all sessions, and in a log of the operator's if there is one. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeHandler } from '../../src/node/http.ts';
import type { EventLog } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { MemoryEventLog } from '../../src/transport/memory-event-log.ts';
import { expectRefusal, nodeEndpoint, openSession, type Endpoint, type Session } from '../support/http.ts';

/** A log that says how much is in it. */
class CountingLog implements EventLog {
  readonly #memory = new MemoryEventLog();
  readonly #sizes = new Map<string, number>();
  readonly names = new Set<string>();

  get bytes(): number {
    return [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }
  get events(): number {
    return this.#sizes.size;
  }
  async append(stream: string, number: number, data: string): Promise<void> {
    this.names.add(stream);
    this.#sizes.set(`${stream} ${number}`, data.length * 2);
    this.#memory.append(stream, number, data);
  }
  async after(stream: string, number: number) {
    return this.#memory.after(stream, number);
  }
  async forget(stream: string, number?: number): Promise<void> {
    for (const key of this.#sizes.keys())
      if (number === undefined ? key.startsWith(`${stream} `) : key === `${stream} ${number}`) this.#sizes.delete(key);
    this.#memory.forget(stream, number);
  }
}

const server = (): Server =>
  new Server({ name: 's', version: '1' }).tool('large', {}, (_, ctx) => {
    ctx.closeStream(0);
    return 'x'.repeat(50_000);
  });

/** Calls, and leaves with the first event, before the answer is there. */
async function leaveBehind(endpoint: Endpoint, session: Session): Promise<string> {
  const { text } = await endpoint.send(session.call('large'));
  return /^id: (.*)$/m.exec(text)?.[1] ?? '';
}

const comeBack = (session: Session, lastId: string) =>
  session.endpoint.send({ method: 'GET', headers: { ...session.get().headers, 'last-event-id': lastId } });

/** Resolves when the platform has said of every answer that it is out. */
async function empty(log: CountingLog): Promise<void> {
  while (log.events > 0) await systemClock.turn();
}

test('over all sessions no more is kept than was said; the newest answers are there', async () => {
  const eventLog = new CountingLog();
  const maxEventLogBytes = 1_000_000;
  const endpoint = await nodeEndpoint(server(), { eventLog, maxEventLogBytes });
  const left: { session: Session; id: string }[] = [];
  for (let caller = 0; caller < 40; caller++) {
    const session = await openSession(endpoint);
    left.push({ session, id: await leaveBehind(endpoint, session) });
    expect(eventLog.bytes).toBeLessThanOrEqual(maxEventLogBytes);
  }
  expect(eventLog.bytes).toBeGreaterThan(maxEventLogBytes / 2);
  const answers = await Promise.all(left.map(({ session, id }) => comeBack(session, id)));
  expect(answers.at(-1)?.content).toHaveLength(50_000);
  const lost = answers.filter(({ status }) => status !== 200);
  expect(lost.length).toBeGreaterThan(40 - maxEventLogBytes / 100_000);
  for (const answer of lost) expectRefusal(answer, 400, -32600);
  await empty(eventLog);
});

test('a log of the operator’s keeps what was missed, under names that tell nobody’s session', async () => {
  const eventLog = new CountingLog();
  const endpoint = await nodeEndpoint(server(), { eventLog });
  const sessions = [await openSession(endpoint), await openSession(endpoint)];
  for (const session of sessions) {
    const id = await leaveBehind(endpoint, session);
    expect(eventLog.events).toBe(1);
    expect((await comeBack(session, id)).content).toHaveLength(50_000);
    await empty(eventLog);
  }
  expect(eventLog.names.size).toBe(2);
  for (const name of eventLog.names)
    for (const { id } of sessions) expect(id.replaceAll('-', '')).not.toContain(name.split('.')[0]);
});

test('a session that is ended leaves nothing in the log', async () => {
  const eventLog = new CountingLog();
  const endpoint = await nodeEndpoint(server(), { eventLog });
  const session = await openSession(endpoint);
  await leaveBehind(endpoint, session);
  await leaveBehind(endpoint, session);
  expect(eventLog.events).toBe(2);
  await endpoint.send(session.delete());
  expect(eventLog.events).toBe(0);
});

test.each([
  ['maxEventLogBytes', 0],
  ['maxEventLogBytes', NaN],
  ['stalledMs', -1],
  ['stalledMs', '5'],
])('%s: %j is refused', (name, value) => {
  expect(() => nodeHandler(server(), { [name]: value })).toThrow(`${name} must be a positive number`);
});
