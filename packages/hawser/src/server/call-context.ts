import { ArgumentError } from '../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { logLevels } from '../model/log-levels.ts';
import type { LogLevel } from '../model/types.ts';
import type { Caller } from '../ports/index.ts';
import type { Context } from './context.ts';
import type { HandlerRun } from './handler-run.ts';
import { can } from './rounds/questions/abilities.ts';
import type { Answers, Asks, Elicited, FormAsk, UrlAsk } from './rounds/author-types.ts';
import { DeclinedError } from './rounds/errors.ts';
import { watched } from './rounds/watched.ts';
import type { Session } from './session.ts';

const unheard = Promise.resolve(false);
const noResponses: Readonly<Record<string, unknown>> = Object.freeze({});

/** What a handler sees of its run. */
export class CallContext implements Context {
  readonly #run: HandlerRun;

  constructor(run: HandlerRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.cancel.signal;
  }

  get caller(): Caller {
    return this.#run.exchange.caller;
  }

  get session(): Session | undefined {
    return this.#run.parts.sessions.session(this.#run.exchange.caller);
  }

  get meta(): Readonly<JsonObject> {
    const meta = this.#run.call.params?.['_meta'];
    return isObject(meta) ? meta : {};
  }

  // Handlers take their context apart, so the methods are bound; only when they are looked at, which few are.

  get progress(): Context['progress'] {
    return (progress, total, message) =>
      this.#run.over ? unheard : this.#run.reports.progress(progress, total, message);
  }

  get log(): Context['log'] {
    return (level, data, logger) => this.#log(level, data, logger);
  }

  get can(): Context['can'] {
    return (what) => this.#run.mute === undefined && can(this.#run.exchange, what);
  }

  get elicit(): Context['elicit'] {
    return (key: string, ask: FormAsk | UrlAsk) =>
      // The content is what the schema gives, or nothing for a page.
      this.#watched(
        key,
        this.#elicit(key, ask).then((elicited) => accepted(key, elicited)),
      ) as Promise<never>;
  }

  get tryElicit(): Context['tryElicit'] {
    return (key: string, ask: FormAsk | UrlAsk) => this.#watched(key, this.#elicit(key, ask)) as Promise<never>;
  }

  get sample(): Context['sample'] {
    return (key, params) => {
      const { asking, exchange, parts } = this.#run;
      const answer = asking.answer(key, () => {
        const { bound = false, ...sample } = params ?? ({} as typeof params);
        return parts.questions.sample(exchange, { sample, bound });
      });
      return this.#watched(key, answer);
    };
  }

  get roots(): Context['roots'] {
    return (key = 'roots') => {
      const { asking, exchange, parts } = this.#run;
      return this.#watched(
        key,
        asking.answer(key, () => parts.questions.roots(exchange, {})),
      );
    };
  }

  get ask(): Context['ask'] {
    return <A extends Asks>(asks: A) => this.#watched('ask', this.#askAll(asks)) as Promise<Answers<A>>;
  }

  get step(): Context['step'] {
    return (key, run) => this.#watched(key, this.#run.asking.step(key, run));
  }

  get responses(): Readonly<Record<string, unknown>> {
    return this.#run.attempt?.responses ?? noResponses;
  }

  get state(): Json | undefined {
    return this.#run.attempt?.state;
  }

  get closeStream(): Context['closeStream'] {
    return (retryMs) => {
      if (!this.#run.over) this.#run.exchange.closeStream?.(retryMs);
    };
  }

  #elicit(key: string, ask: FormAsk | UrlAsk): Promise<Elicited<unknown>> {
    return this.#run.asking.answer(key, () => this.#run.parts.questions.elicit(this.#run, key, ask));
  }

  async #askAll(asks: Asks): Promise<Record<string, unknown>> {
    const { asking, exchange, parts } = this.#run;
    const answers = Object.entries(asks).map(async ([key, ask]): Promise<[string, unknown]> => {
      if ('sample' in ask) return [key, await asking.answer(key, () => parts.questions.sample(exchange, ask))];
      if ('roots' in ask) return [key, await asking.answer(key, () => parts.questions.roots(exchange, ask))];
      return [key, accepted(key, await this.#elicit(key, ask))];
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  #watched<Value>(key: string, promise: Promise<Value>): Promise<Value> {
    return watched(promise, `${this.#run.work.name}: "${key}"`, this.#run.parts.logger);
  }

  #log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (!logLevels.includes(level)) throw new ArgumentError(`log: there is no level "${level}"`);
    const { over, parts, exchange } = this.#run;
    if (over || !parts.levels.passes(exchange.caller, level)) return;
    try {
      const head = { level, ...(logger !== undefined && { logger }) };
      // What JSON has nothing for is null: a log message has data.
      const json = JSON.stringify(data) as string | undefined;
      this.#run.logs.send(head, json === undefined ? null : data, json ?? 'null');
    } catch (error) {
      // A tool does not fail for what it had to say of itself.
      parts.logger.warn('a log message cannot be written as JSON', error);
    }
  }
}

function accepted(key: string, elicited: Elicited<unknown>): unknown {
  if (elicited.action !== 'accept') throw new DeclinedError(key, elicited.action);
  return elicited.content;
}
