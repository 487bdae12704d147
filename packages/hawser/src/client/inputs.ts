import { aborted } from '../base/aborted.ts';
import { ArgumentError } from '../base/errors.ts';
import { Cancel, follow } from '../base/cancel.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample, type GuardedLogger } from '../base/logger.ts';
import type { InputResponse } from '../model/inputs.ts';
import type { ClientCapabilities } from '../model/types.ts';
import type { Call, Reply } from '../ports/index.ts';
import type { Wire } from '../wire/index.ts';
import { Elicitation, type ElicitHandlers } from './elicitation.ts';
import type { ConnectOptions, Settings } from './options.ts';
import { Roots } from './roots.ts';
import { Sampling, type SampleOptions } from './sampling.ts';
import { badQuestion, failedHere, notServed, Unanswerable } from './unanswerable.ts';

/** Most questions in one round: each may put a window before a person. */
const maxInputRequests = 100;

/** A question that was looked at and can be answered. */
type Ready = (signal: AbortSignal) => Promise<InputResponse>;

/** What became of a round: the answers, and why there are not all of them. */
interface Fulfilled {
  readonly responses: Record<string, JsonObject>;
  readonly failure?: Unanswerable;
}

/**
 * What this client answers servers, in either era: requests of legacy ones, and what modern ones need to go on. What
 * is declared follows from what there are handlers for.
 */
export class Inputs {
  readonly roots: Roots;
  readonly #elicitation: Elicitation;
  readonly #sampling: Sampling;
  readonly #extensions: ConnectOptions['extensions'];
  readonly #logger: GuardedLogger;

  /** @throws ArgumentError for options that cannot work */
  constructor(options: ConnectOptions, { logger }: Settings, serverName: () => string) {
    this.#logger = logger;
    this.#elicitation = new Elicitation(elicitHandlers(options.onElicit), serverName, logger);
    this.#sampling = new Sampling(sampleOptions(options.onSample), serverName, logger);
    this.roots = new Roots(options.roots, logger);
    this.#extensions = extensionsOf(options.extensions);
  }

  /** What the client declares, to be lowered for a revision. */
  get capabilities(): ClientCapabilities {
    const roots = this.roots.capability;
    const sampling = this.#sampling.capability;
    const elicitation = this.#elicitation.capability;
    return {
      ...(roots && { roots }),
      ...(sampling && { sampling }),
      ...(elicitation && { elicitation }),
      ...(this.#extensions && { extensions: this.#extensions }),
    };
  }

  /** Answers one request of a legacy server. Never rejects. */
  async answer({ method, params }: Call, wire: Wire, signal: AbortSignal): Promise<Reply> {
    try {
      const response = await this.#run(method, this.#prepare(method, params, wire), signal);
      return { result: wire.lower.inputResponse(response) };
    } catch (error) {
      const { rpcCode, message } = this.#asUnanswerable(sample(method, 100), error);
      return { error: { code: rpcCode, message } };
    }
  }

  /**
   * Answers all questions of a round, side by side. All are looked at before the first handler runs; when one fails,
   * the others are given up, and the answers there are by then are kept.
   *
   * @throws AbortError, or the library's error that `signal` was aborted with
   */
  async fulfil(inputRequests: unknown, wire: Wire, signal: AbortSignal): Promise<Fulfilled> {
    const responses = new Map<string, JsonObject>();
    const given = (): Record<string, JsonObject> => Object.fromEntries(responses);
    const stop = new Cancel();
    const unfollow = follow(signal, stop);
    try {
      const ready = this.#prepareAll(inputRequests, wire);
      await Promise.all(
        ready.map(async ({ key, method, run }) => {
          responses.set(key, wire.lower.inputResponse(await this.#run(method, run, stop.signal)));
        }),
      );
      return { responses: given() };
    } catch (error) {
      if (signal.aborted) throw aborted(signal.reason);
      const failure = this.#asUnanswerable('inputRequests', error);
      stop.cancel(failure);
      return { responses: given(), failure };
    } finally {
      unfollow();
      stop.done();
    }
  }

  #prepareAll(inputRequests: unknown, wire: Wire): { key: string; method: string; run: Ready }[] {
    if (!isObject(inputRequests)) throw badQuestion('inputRequests is not an object');
    const entries = Object.entries(inputRequests);
    if (entries.length > maxInputRequests) throw badQuestion(`there are more than ${maxInputRequests} inputRequests`);
    return entries.map(([key, request]) => {
      const { method, params } = isObject(request) ? request : {};
      if (typeof method !== 'string') throw badQuestion(`input request "${sample(key, 100)}" has no method`);
      if (params !== undefined && !isObject(params))
        throw badQuestion(`the params of input request "${sample(key, 100)}" are not an object`);
      return { key, method, run: this.#prepare(method, params, wire) };
    });
  }

  #prepare(method: string, params: JsonObject | undefined, wire: Wire): Ready {
    const shown = sample(method, 100);
    if (!wire.asks(method)) throw notServed(shown);
    switch (method) {
      case 'elicitation/create':
        return this.#elicitation.prepare(params, wire);
      case 'sampling/createMessage':
        return this.#sampling.prepare(params, wire);
      case 'roots/list':
        return () => this.roots.list();
      default:
        throw notServed(shown);
    }
  }

  /** Runs a handler, and waits no longer than somebody wants the answer. What it throws stays here. */
  async #run(method: string, run: Ready, signal: AbortSignal): Promise<InputResponse> {
    const gone = new Cancel();
    const unfollow = follow(signal, gone);
    try {
      const abandoned = new Promise<never>((_resolve, reject) => {
        gone.onCancel((reason) => reject(failedHere('nobody waits for the answer any more', reason)));
      });
      return await Promise.race([abandoned, run(signal)]);
    } catch (error) {
      if (error instanceof Unanswerable) throw error;
      this.#logger.error(`${method}: the handler failed`, error);
      throw failedHere('the client could not answer', error);
    } finally {
      unfollow();
      gone.done();
    }
  }

  #asUnanswerable(what: string, error: unknown): Unanswerable {
    if (error instanceof Unanswerable) {
      this.#logger.debug(`${what} is not answered: ${error.message}`);
      return error;
    }
    this.#logger.error(`${what} could not be answered`, error);
    return failedHere('the client could not answer', error);
  }
}

function elicitHandlers(given: ConnectOptions['onElicit']): ElicitHandlers {
  if (given === undefined) return {};
  if (typeof given === 'function') return { form: given };
  const handlers = isObject(given) ? [given['form'], given['url']] : [given];
  if (!handlers.every((handler) => handler === undefined || typeof handler === 'function'))
    throw new ArgumentError('onElicit must be a function, or { form, url } with functions');
  return given;
}

function sampleOptions(given: ConnectOptions['onSample']): SampleOptions | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'function') return { handle: given };
  if (!isObject(given) || typeof given['handle'] !== 'function')
    throw new ArgumentError('onSample must be a function, or { handle, tools, context }');
  return given;
}

function extensionsOf(given: ConnectOptions['extensions']): ConnectOptions['extensions'] {
  if (given !== undefined && !(isObject(given) && Object.values(given).every(isObject)))
    throw new ArgumentError('extensions must be objects by their names');
  return given;
}
