import { ArgumentError } from '../base/errors.ts';
import { Cancel } from '../base/cancel.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { logLevels } from '../model/log-levels.ts';
import { metaKeys } from '../model/meta.ts';
import type { LogLevel, ProgressToken } from '../model/types.ts';
import type { Call, Caller, Exchange, Note } from '../ports/index.ts';
import { isRequestId, wireOf } from '../wire/index.ts';
import type { Context } from './context.ts';
import type { LogLevels } from './log-levels.ts';
import { can } from './rounds/abilities.ts';
import type { Answers, Asks, Elicited, FormAsk, UrlAsk } from './rounds/asks.ts';
import type { Asking } from './rounds/asking.ts';
import { DeclinedError } from './rounds/errors.ts';
import type { Questions } from './rounds/questions.ts';
import type { Ran } from './rounds/ran.ts';
import type { Work } from './rounds/work.ts';

const sent = Promise.resolve();
const noResponses: Readonly<Record<string, unknown>> = Object.freeze({});

/** What a context needs of the runner. */
export interface ContextParts {
  readonly levels: LogLevels;
  readonly logger: Logger;
  readonly questions: Questions;
  /** Makes what asks and remembers, when the handler does so for the first time. */
  begin(context: CallContext): Asking;
}

/** A promise whose rejection is not reported when nobody looks at it: a suspension may pass unseen. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** @internal */
export class CallContext implements Context {
  readonly #exchange: Exchange;
  readonly #call: Call;
  readonly #parts: ContextParts;
  readonly #token: ProgressToken | undefined;
  #asking: Asking | undefined;
  #own: Cancel | undefined;
  #last = -Infinity;
  #over = false;
  /** Set while the way to the caller is full. */
  #room: Promise<void> | undefined;
  #newest: Note | undefined;

  /** What is run, for what is said of it and for what its state is bound to. */
  readonly work: Work;
  /** Gives what the run came to; the first time counts. */
  end!: (ran: Ran) => void;

  constructor(call: Call, exchange: Exchange, parts: ContextParts, work: Work) {
    this.work = work;
    this.#call = call;
    this.#exchange = exchange;
    this.#parts = parts;
    const meta = call.params?.['_meta'];
    const token = isObject(meta) ? meta[metaKeys.progressToken] : undefined;
    // Tokens and ids are of the same kind: any string and any integer, 0 and "" too.
    this.#token = isRequestId(token) ? token : undefined;
  }

  /** For a legacy caller the request's own; a modern run ends before its request does, when it is suspended. */
  get signal(): AbortSignal {
    const { cancel, caller } = this.#exchange;
    if (wireOf(caller.revision).facts.asks === 'request') return cancel.signal;
    if (this.#own === undefined) {
      const own = new Cancel();
      this.#own = own;
      cancel.onCancel((reason) => own.cancel(reason));
    }
    return this.#own.signal;
  }

  get caller(): Caller {
    return this.#exchange.caller;
  }

  get meta(): Readonly<JsonObject> {
    const meta = this.#call.params?.['_meta'];
    return isObject(meta) ? meta : {};
  }

  // Handlers take their context apart, so the methods are bound; only when they are looked at, which few are.

  get progress(): Context['progress'] {
    return (progress, total, message) => this.#progress(progress, total, message);
  }

  get log(): Context['log'] {
    return (level, data, logger) => this.#log(level, data, logger);
  }

  get can(): Context['can'] {
    return (what) => can(this.#exchange, what);
  }

  get elicit(): Context['elicit'] {
    return (key: string, ask: FormAsk | UrlAsk) =>
      // The content is what the schema gives, or nothing for a page.
      quiet(this.#elicit(key, ask).then((elicited) => accepted(key, elicited))) as Promise<never>;
  }

  get tryElicit(): Context['tryElicit'] {
    return (key: string, ask: FormAsk | UrlAsk) => quiet(this.#elicit(key, ask)) as Promise<never>;
  }

  get sample(): Context['sample'] {
    return (key, { bound, ...sample }) =>
      quiet(
        this.asking.answer(key, () =>
          this.#parts.questions.sample(this.#exchange, { sample, ...(bound !== undefined && { bound }) }),
        ),
      );
  }

  get roots(): Context['roots'] {
    return (key = 'roots') => quiet(this.asking.answer(key, () => this.#parts.questions.roots(this.#exchange, {})));
  }

  get ask(): Context['ask'] {
    return <A extends Asks>(asks: A) => quiet(this.#askAll(asks)) as Promise<Answers<A>>;
  }

  get step(): Context['step'] {
    return (key, run) => quiet(this.asking.step(key, run));
  }

  get responses(): Readonly<Record<string, unknown>> {
    return this.#asking?.responses ?? noResponses;
  }

  get state(): Json | undefined {
    return this.#asking?.state;
  }

  get closeStream(): Context['closeStream'] {
    return (retryMs) => {
      if (!this.#over) this.#exchange.closeStream?.(retryMs);
    };
  }

  /** What asks and remembers; made on first use. */
  get asking(): Asking {
    return (this.#asking ??= this.#parts.begin(this));
  }

  set asking(asking: Asking) {
    this.#asking = asking;
  }

  /** Whether the handler asked or remembered anything. */
  get asked(): Asking | undefined {
    return this.#asking;
  }

  get exchange(): Exchange {
    return this.#exchange;
  }

  get method(): string {
    return this.#call.method;
  }

  /** For another run of the handler in the same exchange; what it reports goes on rising. */
  again(): CallContext {
    const next = new CallContext(this.#call, this.#exchange, this.#parts, this.work);
    next.#last = this.#last;
    return next;
  }

  #elicit(key: string, ask: FormAsk | UrlAsk): Promise<Elicited<unknown>> {
    return this.asking.answer<Elicited<unknown>>(key, () =>
      'url' in ask ? this.#parts.questions.page(this.#exchange, ask) : this.#parts.questions.form(this.#exchange, ask),
    );
  }

  async #askAll(asks: Asks): Promise<Record<string, unknown>> {
    const answers = Object.entries(asks).map(async ([key, ask]): Promise<[string, unknown]> => {
      if ('sample' in ask)
        return [key, await this.asking.answer(key, () => this.#parts.questions.sample(this.#exchange, ask))];
      if ('roots' in ask)
        return [key, await this.asking.answer(key, () => this.#parts.questions.roots(this.#exchange, ask))];
      return [key, accepted(key, await this.#elicit(key, ask))];
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  #log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (!logLevels.includes(level)) throw new ArgumentError(`log: there is no level "${level}"`);
    if (this.#over || !this.#parts.levels.passes(this.caller, level)) return;
    const params = { level, ...(logger !== undefined && { logger }), data: data === undefined ? null : data };
    try {
      this.#exchange.emit({ method: 'notifications/message', params });
    } catch (error) {
      // A tool does not fail for what it had to say of itself.
      this.#parts.logger.warn('a log message cannot be written as JSON', error);
    }
  }

  #progress(progress: number, total?: number, message?: string): Promise<void> {
    const token = this.#token;
    if (token === undefined || this.#over || !Number.isFinite(progress) || progress <= this.#last) return sent;
    this.#last = progress;
    const { lower } = wireOf(this.#exchange.caller.revision);
    const note: Note = {
      method: 'notifications/progress',
      params: lower.progress(token, {
        progress,
        ...(total !== undefined && Number.isFinite(total) && { total }),
        ...(message !== undefined && { message }),
      }),
    };
    if (this.#room !== undefined) {
      this.#newest = note;
      return this.#room;
    }
    if (this.#exchange.emit(note)) return sent;
    return (this.#room = this.#exchange.drained().then(() => this.#resume()));
  }

  #resume(): void {
    this.#room = undefined;
    const note = this.#newest;
    this.#newest = undefined;
    if (note !== undefined && !this.#over) this.#exchange.emit(note);
  }

  /** The handler is through or suspended: nothing more may be sent for its call. */
  finish(): void {
    if (this.#over) return;
    // The newest progress that waited for room still belongs before the result.
    if (this.#newest !== undefined) this.#exchange.emit(this.#newest);
    this.#newest = undefined;
    this.#over = true;
  }

  /** The run is over although its handler may not be. */
  abort(reason: unknown): void {
    this.#own?.cancel(reason);
  }
}

function accepted(key: string, elicited: Elicited<unknown>): unknown {
  if (elicited.action !== 'accept') throw new DeclinedError(key, elicited.action);
  return elicited.content;
}
