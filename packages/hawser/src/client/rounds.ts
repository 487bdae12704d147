import { aborted } from '../base/aborted.ts';
import { InputRequiredError, type ErrorDetails } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Inputs } from './inputs.ts';
import type { Request } from './lowered.ts';
import type { Connection } from './negotiate.ts';
import type { Settings } from './options.ts';
import type { Pending } from './pending.ts';

/** What a result that is not final asks for, as it came. */
export interface Required {
  readonly inputRequests?: unknown;
  readonly requestState?: unknown;
}

/** What a request brought: a final result, or one that asks for more. */
export interface Delivered {
  readonly result: JsonObject;
  readonly connection: Connection;
  readonly reissued: boolean;
  readonly required: Required | undefined;
}

/** Makes a request for the connection it will be sent on. */
export type Make = (connection: Connection) => Request;

/** A round with questions may be answered at once; one without is asked again after a pause that grows. */
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** The rounds of one call: what the server asks is answered, and the request sent again, until its result is final. */
export class Rounds {
  readonly #make: Make;
  readonly #pending: Pending;
  readonly #deliver: (make: Make) => Promise<Delivered>;
  readonly #inputs: Inputs;
  readonly #settings: Settings;
  #latest: Required = {};
  #request: Request = { method: '' };

  constructor(
    make: Make,
    pending: Pending,
    deliver: (make: Make) => Promise<Delivered>,
    inputs: Inputs,
    settings: Settings,
  ) {
    this.#make = make;
    this.#pending = pending;
    this.#deliver = deliver;
    this.#inputs = inputs;
    this.#settings = settings;
  }

  /** @throws InputRequiredError when what is asked for cannot be given, or has been asked for too often */
  async run(first: Delivered): Promise<Delivered & { rounds: number }> {
    let delivered = first;
    let { reissued } = first;
    let pauseMs = firstPauseMs;
    let asked = 0;
    for (let rounds = 0; ; rounds++) {
      const { required, connection } = delivered;
      if (required === undefined) return { ...delivered, reissued, rounds };
      this.#latest = required;
      this.#request = this.#make(connection);
      const requestState = this.#stateOf(required);
      const inputRequests = this.#questionsOf(required, requestState);
      let inputResponses: JsonObject | undefined;
      if (inputRequests === undefined) {
        await this.#pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      } else {
        if (++asked > this.#settings.maxRounds)
          throw this.#error(`the server asked for input more than ${this.#settings.maxRounds} times`, {}, true);
        inputResponses = await this.#answer(inputRequests, connection);
        pauseMs = firstPauseMs;
      }
      delivered = await this.#deliver((next) => this.#again(next, inputResponses, requestState));
      reissued ||= delivered.reissued;
    }
  }

  #stateOf({ requestState }: Required): string | undefined {
    if (requestState === undefined || requestState === null) return undefined;
    if (typeof requestState !== 'string') throw this.#malformed('requestState is not a string');
    return requestState;
  }

  /** The questions of a round; undefined when there are none, and there is a state to go on with. */
  #questionsOf({ inputRequests }: Required, requestState: string | undefined): JsonObject | undefined {
    const none = inputRequests === undefined || inputRequests === null;
    if (!none && !isObject(inputRequests)) throw this.#malformed('inputRequests is not an object');
    if (!none && Object.keys(inputRequests).length > 0) return inputRequests;
    if (requestState === undefined) throw this.#malformed('there are neither inputRequests nor a requestState');
    return undefined;
  }

  /** Time that handlers take, people that is, counts against the hard limit only. */
  async #answer(inputRequests: JsonObject, { wire }: Connection): Promise<JsonObject> {
    const { cancel } = this.#pending;
    // Nobody is asked for a call that is over.
    this.#pending.assertWanted();
    const fulfil = () => this.#inputs.fulfil(inputRequests, wire, cancel.signal);
    const { responses, failure } = await this.#pending.whileHeld(fulfil);
    if (failure === undefined) return responses;
    throw this.#error(failure.detail ?? failure.message, { origin: failure.origin, cause: failure }, true);
  }

  #pause(ms: number): Promise<void> {
    const { cancel } = this.#pending;
    return new Promise((resolve, reject) => {
      const timer = this.#settings.clock.after(ms, resolve);
      cancel.onCancel((reason) => {
        timer.cancel();
        reject(aborted(reason, 'unknown'));
      });
    });
  }

  /** The request as it was at first, with the answers and the state of this round, and nothing of earlier ones. */
  #again(connection: Connection, inputResponses: JsonObject | undefined, requestState: string | undefined): Request {
    if (connection.wire.facts.asks !== 'result')
      throw this.#error(`the server speaks ${connection.wire.revision} now, which has no rounds`, {}, true);
    const request = this.#make(connection);
    const { inputResponses: _responses, requestState: _state, ...params } = request.params ?? {};
    return {
      ...request,
      params: {
        ...params,
        ...(inputResponses !== undefined && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      },
    };
  }

  #malformed(problem: string): InputRequiredError {
    return this.#error(`the server asked for input in a way that cannot be understood: ${problem}`, {}, false);
  }

  #error(problem: string, details: ErrorDetails, isResumable: boolean): InputRequiredError {
    const { method, params = {} } = this.#request;
    return new InputRequiredError(`${method}: ${problem}`, {
      origin: 'peer',
      ...details,
      ...this.#latest,
      requestMethod: method,
      requestParams: params,
      isResumable,
    });
  }
}
