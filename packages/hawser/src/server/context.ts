import type { Json, JsonObject } from '../base/json.ts';
import type { CreateMessageParams, CreateMessageResult } from '../model/inputs.ts';
import type { LogLevel } from '../model/types.ts';
import type { Caller } from '../ports/index.ts';
import type { AnySchema, Infer } from '../schema/standard.ts';
import type { Ability } from './rounds/questions/abilities.ts';
import type {
  Answers,
  AskOptions,
  Asks,
  Elicited,
  FormAsk,
  RootPlace,
  StepTools,
  UrlAsk,
} from './rounds/author-types.ts';
import type { Session } from './session.ts';

/**
 * What a handler is given besides its arguments. Its members may be taken apart, as in `({ city }, { elicit })`; a copy
 * (`{ ...ctx }`) has none of them, since they are made when they are looked at.
 *
 * A handler that asks is run once per round for modern callers: from the top, with the earlier answers and the values
 * of its steps at hand. Plain code runs in each round; what must run once belongs into a `step`. To legacy callers
 * questions are requests, and the handler runs once.
 */
export interface Context {
  /**
   * Aborts when the caller cancels the call or has gone, and when the run was suspended: stop working. A round of a
   * tool that says `once` belongs to all who send it, so that no caller cancels it.
   */
  readonly signal: AbortSignal;
  /** Who calls: principal, revision, capabilities, client info, headers. */
  readonly caller: Caller;
  /** The caller's legacy session, the same for all its calls; undefined for modern callers, and for those without one. */
  readonly session: Session | undefined;
  /** The `_meta` of the request. */
  readonly meta: Readonly<JsonObject>;
  /**
   * Tells the caller how far the work is. Does nothing when the caller did not ask. Values have to rise; those that
   * do not are dropped. Awaiting it keeps pace with a slow caller; without awaiting, a slow caller gets the newest.
   *
   * @returns whether the caller can hear of it: false when it did not ask, takes one JSON text and no more, has gone or
   *   has its answer, and when the value was dropped. True is no receipt
   * @see MCP 2026-07-28 basic/patterns/progress
   */
  progress(progress: number, total?: number, message?: string): Promise<boolean>;
  /**
   * Sends a log message to the caller if it wants messages of that level: legacy sessions say so by
   * `logging/setLevel` (`info` until then), modern requests in their `_meta`. No secrets, no personal data.
   *
   * While a slow caller has no room at most 1,000 messages of a call wait, of 1 Mi characters; then the oldest go, and
   * the server's `logger` is told how many.
   *
   * @param data any JSON value; what JSON has nothing for is sent as null
   * @param logger which part of the server speaks
   * @throws ArgumentError for a level that there is not
   * @see MCP 2026-07-28 server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Whether the caller can be asked that. */
  can(what: Ability): boolean;
  /**
   * Asks a person to fill in a form, and gives what was accepted, as the schema's library gives it. A content that
   * does not fit the schema is asked for again.
   *
   * @param key names the question; each key once per run, in loops with the index in it
   * A question that is still open when the handler settles is taken back.
   *
   * @throws DeclinedError when the person declines or cancels; uncaught, that is the failure of the call
   * @throws CapabilityError when the caller cannot be asked
   * @throws ArgumentError when the schema is no form, or says what no form can keep: a default that does not fit
   * @throws ReplayError when it is asked within a step, which is found out after 10 s if the step had waited before
   * @throws NoFitError when no content ever fitted
   * @see MCP 2026-07-28 client/elicitation
   */
  elicit<const Schema extends AnySchema>(key: string, ask: FormAsk<Schema>): Promise<Infer<Schema>>;
  /** Asks a person to visit a page; resolves when the person agreed, which says nothing of what was done there. */
  elicit(key: string, ask: UrlAsk): Promise<void>;
  /** The same, but a decline is a value. */
  tryElicit<const Schema extends AnySchema>(key: string, ask: FormAsk<Schema>): Promise<Elicited<Infer<Schema>>>;
  tryElicit(key: string, ask: UrlAsk): Promise<Elicited<undefined>>;
  /**
   * Asks the client's model.
   *
   * @throws CapabilityError when the caller has none, or none that takes tools
   * @throws ArgumentError when uses and results of tools in the messages do not belong together
   * @see MCP 2026-07-28 client/sampling
   */
  sample(key: string, params: CreateMessageParams & AskOptions): Promise<CreateMessageResult>;
  /**
   * Asks where the server may work. Entries that are no paths are left out with a warning; a caller that has no list
   * has none.
   *
   * @param key default `roots`
   * @throws CapabilityError when the caller has no roots to tell
   * @see MCP 2026-07-28 client/roots
   */
  roots(key?: string): Promise<RootPlace[]>;
  /** Asks all of it in one round. A decline rejects, as of `elicit`. */
  ask<const A extends Asks>(asks: A): Promise<Answers<A>>;
  /**
   * Runs `run` once for all rounds of a call and remembers its value, which has to be JSON of at most 16 KB and comes
   * back as JSON has it; nothing at all is allowed too. A failure is remembered as well. Ask nothing within a step.
   *
   * @throws StepError when it fails or has failed
   * @throws ReplayError when the value cannot be kept
   */
  step<Value>(key: string, run: (tools: StepTools) => Value | Promise<Value>): Promise<Value>;
  /** Low level, see {@link inputRequired}: the answers that came with this request, unchecked. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** Low level: the state given to `inputRequired` in the round before; verified. */
  readonly state: Json | undefined;
  /**
   * Legacy Streamable HTTP: ends the response stream; the caller fetches what follows after `retryMs`. Elsewhere it
   * does nothing.
   */
  closeStream(retryMs?: number): void;
}
