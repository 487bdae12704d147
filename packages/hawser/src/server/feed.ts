import type { Clock, Timer } from '../base/clock.ts';
import { isObject, notJson, parseJson } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { within } from '../base/within.ts';
import { isUri } from '../core/uri.ts';
import type { Bus } from '../ports/index.ts';

/** What has a list that changes. */
const kinds = ['tools', 'prompts', 'resources'] as const;
export type Kind = (typeof kinds)[number];

/** Something has changed: one of the lists, or the content of a resource. */
export type Change = { readonly list: Kind } | { readonly uri: string };

/** How long a listener waits for the bus before it is told that it listens. */
const patienceMs = 5_000;
/** How long until a bus that could not be subscribed to is tried again. */
const retryMs = 5_000;
/** Most messages on their way to the bus; more are dropped. */
const maxPublishing = 1_000;

/** One try to subscribe, until it is let go. */
interface Line {
  /** Resolves when the bus has answered; never rejects. */
  readonly ready: Promise<void>;
  /** It has been waited for in vain: later listeners do not wait for it. */
  slow: boolean;
  leave: (() => Promise<void>) | undefined;
}

/**
 * The changes of a server that runs in several processes, by way of a bus. It is listened to only while somebody
 * listens here; what the bus fails in goes to the log.
 */
export class Feed {
  readonly #bus: Bus;
  readonly #topic: string;
  readonly #told: (change: Change) => void;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Tells our own messages from those of others. */
  readonly #self: string;
  #listeners = 0;
  #line: Line | undefined;
  #retry: Timer | undefined;
  #publishing = 0;
  #failing = false;

  /** @param told takes what other processes tell of */
  constructor(bus: Bus, topic: string, told: (change: Change) => void, clock: Clock, logger: Logger) {
    this.#bus = bus;
    this.#topic = topic;
    this.#told = told;
    this.#clock = clock;
    this.#logger = logger;
    this.#self = clock.uuid();
  }

  /** Tells the other processes. */
  publish(change: Change): void {
    if (this.#publishing >= maxPublishing) return this.#failed('the bus does not take changes as fast as they come');
    this.#publishing++;
    const message = JSON.stringify({ from: this.#self, ...change });
    attempt(() => this.#bus.publish(this.#topic, message)).then(
      () => {
        this.#publishing--;
        this.#failing = false;
      },
      (error: unknown) => {
        this.#publishing--;
        this.#failed('changes could not be published', error);
      },
    );
  }

  /** Said once until the bus works again: a log does not grow with what it tells of. */
  #failed(problem: string, error?: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.#logger.error(problem, error);
  }

  /** Somebody listens from now on. Resolves when the bus is listened to, or does not answer. */
  async hold(): Promise<void> {
    this.#listeners++;
    const line = (this.#line ??= this.#subscribe());
    if (line.leave !== undefined || line.slow) return;
    line.slow = await within(
      patienceMs,
      line.ready.then(() => false),
      true,
      this.#clock,
    );
  }

  /** One of those who listened has gone. */
  release(): void {
    if (--this.#listeners > 0) return;
    this.#retry?.cancel();
    this.#retry = undefined;
    const line = this.#line;
    this.#line = undefined;
    // A bus that has not answered yet is left when it does.
    if (line?.leave !== undefined) this.#leave(line.leave);
  }

  #subscribe(): Line {
    let resolve!: () => void;
    const line: Line = {
      ready: new Promise((settled) => {
        resolve = settled;
      }),
      slow: false,
      leave: undefined,
    };
    const receive = (message: string): void => {
      if (this.#line === line) safely(this.#logger, () => this.#receive(message));
    };
    attempt(() => this.#bus.subscribe(this.#topic, receive)).then(
      (leave) => {
        if (this.#line === line) line.leave = leave;
        else this.#leave(leave);
        resolve();
      },
      (error: unknown) => {
        this.#logger.error('changes of other processes cannot be heard', error);
        if (this.#line === line) this.#tryAgain();
        resolve();
      },
    );
    return line;
  }

  #tryAgain(): void {
    this.#retry = this.#clock.after(retryMs, () => {
      this.#retry = undefined;
      this.#line = this.#subscribe();
    });
  }

  #leave(leave: () => Promise<void>): void {
    attempt(leave).catch((error: unknown) => this.#logger.warn('the bus could not be left', error));
  }

  #receive(message: string): void {
    const told = parseJson(message);
    if (told === notJson || !isObject(told)) return this.#logger.warn('the bus brought what is no change');
    if (told['from'] === this.#self) return;
    const { uri, list } = told;
    const kind = kinds.find((each) => each === list);
    if (kind !== undefined) this.#told({ list: kind });
    else if (isUri(uri)) this.#told({ uri });
    // Another version of the library may know more of them.
    else this.#logger.debug('the bus brought a change of a kind that is not known here');
  }
}

/** A promise of what may throw as well. */
async function attempt<Value>(run: () => Promise<Value>): Promise<Value> {
  return run();
}
