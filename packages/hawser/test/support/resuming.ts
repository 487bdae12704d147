/** A legacy session by hand, and responses for its streams. */
import { silent } from '../../src/base/logger.ts';
import { LegacyCaller } from '../../src/core/handshake.ts';
import type { Revision } from '../../src/model/types.ts';
import type { EventLog, Exchange, Reply, Service } from '../../src/ports/index.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import type { HttpOutgoing } from '../../src/transport/http-types.ts';
import { Keeping } from '../../src/transport/keeping.ts';
import { LegacySession } from '../../src/transport/legacy-session.ts';
import { MemoryEventLog } from '../../src/transport/memory-event-log.ts';
import type { SessionExchange } from '../../src/transport/session-exchange.ts';

/** A response by hand, which behaves as those of the platforms do. */
export class Out implements HttpOutgoing {
  at: 'new' | 'open' | 'ended' | 'gone' = 'new';
  text = '';
  /** Whether what is written gets on to the caller, or waits here. */
  flows = true;
  sent: string | undefined;
  #passedOn: (() => void) | undefined;
  #gone: (() => void)[] = [];
  #room: (() => void)[] = [];

  send(_status: number, _headers: object, body?: string): void {
    this.at = 'ended';
    this.sent = body;
  }
  open(): void {
    if (this.at === 'new') this.at = 'open';
  }
  get unsent(): boolean {
    return !this.flows;
  }
  write(text: string): boolean {
    if (this.at !== 'open') return false;
    this.text += text;
    return this.flows;
  }
  drained(): Promise<void> {
    // Once it has ended nobody can write, so there is no room to wait for.
    if (this.flows || this.at !== 'open') return Promise.resolve();
    return new Promise((resolve) => this.#room.push(resolve));
  }
  end(text = '', passedOn?: () => void): void {
    if (this.at !== 'open') return;
    this.text += text;
    this.at = 'ended';
    this.#passedOn = passedOn;
    if (this.flows) queueMicrotask(() => this.#passOn());
  }
  #passOn(): void {
    if (this.at !== 'ended') return;
    this.#gone = [];
    this.#passedOn?.();
  }
  onGone(listener: () => void): void {
    if (this.at === 'gone') listener();
    else this.#gone.push(listener);
  }

  leave(): void {
    this.at = 'gone';
    for (const listener of this.#gone.splice(0)) listener();
    this.flow();
  }
  flow(): void {
    this.flows = true;
    this.#passOn();
    for (const resolve of this.#room.splice(0)) resolve();
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '');
  }
  get data(): string[] {
    return [...this.text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '');
  }
}

/** A session, and what listens in it. */
export function openedSession(
  revision: Revision = '2025-11-25',
  log: EventLog = new MemoryEventLog(),
  maxBytes = Infinity,
  logger = silent,
) {
  const clock = new VirtualClock();
  const listening: Exchange[] = [];
  const service: Service = {
    answer: (_, exchange) => {
      listening.push(exchange);
      return new Promise<Reply>(() => undefined);
    },
    notice: () => undefined,
  };
  const keeping = new Keeping(clock, log, maxBytes, logger);
  const session = new LegacySession('s', new LegacyCaller(revision, {}, undefined, undefined), service, keeping);
  let last = 0;
  const begin = (out: Out): SessionExchange => {
    const exchange = session.exchange(++last, out, 'both');
    if (exchange === undefined) throw new Error('the id is in use');
    return exchange;
  };
  return { clock, session, listening, begin, kept: () => session.resumption.kept, bytes: () => keeping.budget.bytes };
}

export const note = (name: string) => ({ method: `notifications/${name}` });
export const told = (name: string) => JSON.stringify({ jsonrpc: '2.0', ...note(name) });
export const done: Reply = { result: {} };
