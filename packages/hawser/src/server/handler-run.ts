import { Cancel } from '../base/cancel.ts';
import type { Logger } from '../base/logger.ts';
import type { Call, Exchange } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import type { Context } from './context.ts';
import type { LogLevels } from './log-levels.ts';
import { LogQueue } from './log-queue.ts';
import { Reports } from './reports.ts';
import type { Attempt } from './rounds/attempt.ts';
import type { Journal } from './rounds/state/journal.ts';
import type { QuestionMaker } from './rounds/questions/question-maker.ts';
import type { Asking, Ran, Run, Work } from './rounds/work.ts';
import type { Sessions } from './session.ts';

/** What an author gives to be run. */
export type Handler = (ctx: Context) => unknown;

/** What a run needs of the runner. */
export interface RunParts {
  readonly levels: LogLevels;
  readonly sessions: Sessions;
  readonly logger: Logger;
  readonly questions: QuestionMaker;
  /** Makes what asks and remembers, when the handler does so for the first time. */
  begin(run: HandlerRun): Attempt;
  again(run: HandlerRun, journal: Journal, responses: Readonly<Record<string, unknown>>): Promise<Ran>;
}

/**
 * The book of one run of a handler: how its context, its attempt and the runner know of each other. Handlers see their
 * context only.
 */
export class HandlerRun implements Run {
  readonly call: Call;
  readonly exchange: Exchange;
  readonly work: Work;
  readonly handler: Handler;
  readonly parts: RunParts;
  /** What asks and remembers; undefined while the handler did neither. */
  attempt: Attempt | undefined;
  /** For handlers that may do neither. */
  mute: Asking | undefined;
  /** It runs once for all requests that ask for it, so that no request of them cancels it. */
  claimed = false;
  /** The handler is through or suspended: nothing more may be sent for its call. */
  over = false;
  end: (ran: Ran) => void = nothing;
  #reports: Reports | undefined;
  #logs: LogQueue | undefined;
  #cancel: Cancel | undefined;

  constructor(call: Call, exchange: Exchange, work: Work, handler: Handler, parts: RunParts) {
    this.call = call;
    this.exchange = exchange;
    this.work = work;
    this.handler = handler;
    this.parts = parts;
  }

  get method(): string {
    return this.call.method;
  }

  /** For a legacy caller the request's own; a modern run ends before its request does, when it is suspended. */
  get cancel(): Cancel {
    const { cancel, caller } = this.exchange;
    if (wireOf(caller.revision).facts.asks === 'request') return cancel;
    if (this.#cancel === undefined) {
      const own = new Cancel();
      this.#cancel = own;
      if (!this.claimed) cancel.onCancel((reason) => own.cancel(reason));
    }
    return this.#cancel;
  }

  get asking(): Asking {
    return this.mute ?? (this.attempt ??= this.parts.begin(this));
  }

  get reports(): Reports {
    return (this.#reports ??= new Reports(this.call, this.exchange));
  }

  get logs(): LogQueue {
    return (this.#logs ??= new LogQueue(this.exchange, this.work.name, this.parts.logger));
  }

  finish(): void {
    if (this.over) return;
    this.over = true;
    this.#logs?.flush();
    this.#reports?.flush();
  }

  again(journal: Journal, responses: Readonly<Record<string, unknown>>): Promise<Ran> {
    const next = new HandlerRun(this.call, this.exchange, this.work, this.handler, this.parts);
    // What it reports goes on rising.
    next.#reports = this.#reports;
    next.#logs = this.#logs;
    return this.parts.again(next, journal, responses);
  }
}

function nothing(): void {}
