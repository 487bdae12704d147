import type { Cancel } from '../../../base/cancel.ts';
import type { Clock } from '../../../base/clock.ts';
import { isObject, parseJson, type JsonObject } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import { errorCodes } from '../../../model/meta.ts';
import type { Caller, Kv, Reply } from '../../../ports/index.ts';
import { digest } from '../state/digest.ts';
import type { Carried } from '../state/journal.ts';
import type { Owner } from './memory-kv.ts';
import type { Ran } from '../work.ts';

/** How long a repeat waits for the run it repeats. */
const maxWaitMs = 30_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;

const running = '{"at":"running"}';
/** Shorter than what it replaces, so that there is room for it. */
const lost = '{"at":"lost"}';

const stillRunning = failing('this round is being run already');
const cannotBeRepeated = failing('this round has been run, and what it came to cannot be repeated');

/** Has each round run once: whoever sends it again gets what the first run came to. */
export class Once {
  readonly #store: Kv;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #ttlMs: number;

  /** @param ttlMs as long as a state is good */
  constructor(store: Kv, clock: Clock, logger: Logger, ttlMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#ttlMs = ttlMs;
  }

  /**
   * @param run not to be cancelled with its request: what it came to is what a repeat gets
   * @throws what the store fails with before the round is run
   */
  async run(carried: Carried, caller: Caller, cancel: Cancel, run: () => Promise<Ran>): Promise<Ran> {
    const key = await keyOf(carried, caller);
    if (!(await this.#store.set(key, running, { ttlMs: this.#ttlMs, ifVersion: null }))) return this.#wait(key, cancel);
    const ran = await run();
    await this.#keep(key, ran);
    return ran;
  }

  /** Whatever becomes of it, the round has been run, and its caller gets what it came to. */
  async #keep(key: string, ran: Ran): Promise<void> {
    const ttlMs = this.#ttlMs;
    try {
      if ('reply' in ran && ran.undone === true) await this.#store.delete(key);
      else await this.#store.set(key, written(ran), { ttlMs });
    } catch (error) {
      this.#logger.error('what a round came to could not be kept: it cannot be repeated', error);
      await this.#store.set(key, lost, { ttlMs }).catch(() => undefined);
    }
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

const prefix = 'hawser:round:';
const anonymous = '-';

async function keyOf({ chain, round }: Carried, { principal }: Caller): Promise<string> {
  const owner = principal === undefined ? anonymous : await digest(principal);
  return `${prefix}${owner}:${chain}:${round}`;
}

/** A tenth of the store for each principal; half of it for all who have no name, since they may be many. */
export function roundOwner(key: string): Owner {
  const name = key.slice(prefix.length, key.indexOf(':', prefix.length));
  return { name, share: name === anonymous ? 0.5 : 0.1 };
}

function failing(message: string): Reply {
  return { error: { code: errorCodes.internal, message } };
}

/** @throws TypeError when it is no JSON */
function written(ran: Ran): string {
  if ('reply' in ran) return JSON.stringify({ at: 'reply', reply: ran.reply });
  if ('thrown' in ran) return JSON.stringify({ at: 'thrown', message: messageOf(ran.thrown) });
  return JSON.stringify({ at: 'value', value: ran.value });
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
    case 'lost':
      return { reply: cannotBeRepeated };
    default:
      return undefined;
  }
}
