/** The words of a run: what is run, what runs it, what it comes to. What attempts and contexts know of each other. */
import type { Cancel } from '../../base/cancel.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Exchange, Reply } from '../../ports/index.ts';
import type { StepTools } from './author-types.ts';
import type { Journal } from './state/journal.ts';
import type { Question } from './questions/question.ts';

/** What is run. */
export interface Work {
  /** Of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  /** As they came, before a schema changed them. */
  readonly args: JsonObject;
  /** A state is only good for the version that wrote it. */
  readonly version?: string | undefined;
  /** A round is run once, however often it is sent. */
  readonly once?: boolean | undefined;
}

/** How a handler ended by itself. */
export type Settled = { readonly value: unknown } | { readonly thrown: unknown };

/**
 * What running a handler came to: its value, what it threw, or a reply that is final already (input_required, a state
 * that does not verify, a capability the caller lacks).
 */
export type Ran =
  | Settled
  | {
      readonly reply: Reply;
      /** The handler did nothing that lasts, and the caller may send the round again, better. */
      readonly undone?: boolean | undefined;
    };

/** What an attempt knows of the run it belongs to. */
export interface Run {
  readonly work: Work;
  readonly method: string;
  readonly exchange: Exchange;
  /** The handler is through or suspended: what it still asks comes too late. */
  readonly over: boolean;
  /** Cancelled when the caller gave up, and when a suspended run is over: what still runs of it may stop. */
  readonly cancel: Cancel;
  /** Nothing more may be sent for the call. */
  finish(): void;
  /** What the run came to; the first time counts. */
  end(ran: Ran): void;
  /** Runs the handler from the top, in the same exchange, with what is known by now. */
  again(journal: Journal, responses: Readonly<Record<string, unknown>>): Promise<Ran>;
}

/** What a context has to ask and remember with. */
export interface Asking {
  /** The answers that came with the request, as they came. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** What the handler gave to `inputRequired` in the round before. */
  readonly state: Json | undefined;
  /** @param make called only if the question is put at all */
  answer<Value>(key: string, make: () => Question<Value>): Promise<Value>;
  step<Value>(key: string, run: (tools: StepTools) => Value | Promise<Value>): Promise<Value>;
}
