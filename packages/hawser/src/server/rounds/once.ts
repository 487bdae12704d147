import type { Cancel } from '../../base/cancel.ts';
import type { Clock } from '../../base/clock.ts';
import { isObject, parseJson, type JsonObject } from '../../base/json.ts';
import { errorCodes } from '../../model/meta.ts';
import type { Kv, Reply } from '../../ports/index.ts';
import type { Carried } from './journal.ts';
import type { Ran } from './ran.ts';

/** How long a repeat waits for the run it repeats. */
const maxWaitMs = 30_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;

const stillRunning: Reply = { error: { code: errorCodes.internal, message: 'this round is being run already' } };

/** Has each round run once: whoever sends it again gets what the first run came to. */
export class Once {
  readonly #store: Kv;
  readonly #clock: Clock;
  readonly #ttlMs: number;

  /** @param ttlMs as long as a state is good */
  constructor(store: Kv, clock: Clock, ttlMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  async run({ chain, round }: Carried, cancel: Cancel, run: () => Promise<Ran>): Promise<Ran> {
    const key = `hawser:round:${chain}:${round}`;
    const ttlMs = this.#ttlMs;
    if (!(await this.#store.set(key, '{"at":"running"}', { ttlMs, ifVersion: null }))) return this.#wait(key, cancel);
    const ran = await run();
    await this.#store.set(key, written(ran), { ttlMs });
    return ran;
  }

  async #wait(key: string, cancel: Cancel): Promise<Ran> {
    const end = this.#clock.now() + maxWaitMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const ran = read((await this.#store.get(key))?.value);
      if (ran !== undefined) return ran;
      if (cancel.cancelled || this.#clock.now() >= end) return { reply: stillRunning };
      await new Promise<void>((resolve) => {
        this.#clock.after(pauseMs, resolve);
      });
    }
  }
}

function written(ran: Ran): string {
  if ('reply' in ran) return JSON.stringify({ at: 'reply', ...ran });
  if ('thrown' in ran) return JSON.stringify({ at: 'thrown', message: messageOf(ran.thrown) });
  try {
    return JSON.stringify({ at: 'value', ...ran });
  } catch {
    return JSON.stringify({ at: 'thrown', message: 'what it came to cannot be repeated' });
  }
}

function messageOf(thrown: unknown): unknown {
  if (typeof thrown === 'string') return thrown;
  const message = isObject(thrown) ? thrown['message'] : undefined;
  return typeof message === 'string' ? message : '';
}

/** What a run came to; undefined while it runs. */
function read(text: string | undefined): Ran | undefined {
  const kept = text === undefined ? undefined : parseJson(text);
  const { at, value, message, reply } = isObject(kept) ? kept : ({} as JsonObject);
  switch (at) {
    case 'value':
      return { value };
    case 'thrown':
      return { thrown: new Error(String(message)) };
    case 'reply':
      return { reply: reply as Reply };
    default:
      return undefined;
  }
}
