import type { Clock } from '../../../base/clock.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { sample, type Logger } from '../../../base/logger.ts';
import type { InputRequest } from '../../../model/inputs.ts';
import { errorCodes } from '../../../model/meta.ts';
import type { Implementation } from '../../../model/types.ts';
import type { Call, Caller, Reply } from '../../../ports/index.ts';
import { wireOf } from '../../../wire/index.ts';
import { canonical } from './digest.ts';
import { ReplayError } from '../errors.ts';
import { asCarried, largest, type Carried, type Journal } from './journal.ts';
import { KeyRing } from './keys.ts';
import { ExpiredError, maxStateChars, Sealer, UnsealError } from './seal.ts';
import type { Run, Work } from '../work.ts';

/** What came with a request of a later round, or of a first one that brings answers along. */
interface Resumed {
  readonly carried: Carried | undefined;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Required {
  readonly state?: Json | undefined;
  readonly sent?: readonly (readonly [string, InputRequest])[];
  readonly bound: boolean;
}

/** What callers learn of a state that was not opened: nothing that helps to forge one. */
const badState: Reply = { error: { code: errorCodes.invalidParams, message: 'requestState is not valid' } };

/** That one was good once is known to whoever has kept it. */
const expiredState: Reply = {
  error: { code: errorCodes.invalidParams, message: 'requestState has expired: call again' },
};

/** And of answers that are none. */
export const badResponses: Reply = {
  error: { code: errorCodes.invalidParams, message: 'inputResponses does not answer what was asked' },
};

/** Writes and reads what a modern caller carries from round to round (basic/patterns/mrtr). */
export class States {
  readonly #info: Implementation;
  readonly #logger: Logger;
  readonly #keys: KeyRing;
  readonly #sealer: Sealer;
  #noticed = false;

  /** @throws ArgumentError when the keys are unusable */
  constructor(
    info: Implementation,
    logger: Logger,
    clock: Clock,
    keys: readonly (string | Uint8Array)[] | undefined,
    ttlMs: number,
  ) {
    this.#info = info;
    this.#logger = logger;
    this.#keys = new KeyRing(keys);
    this.#sealer = new Sealer(this.#keys, ttlMs, clock);
  }

  /** What came with a request; a reply when it is not good. */
  async open(call: Call, caller: Caller, work: Work): Promise<Resumed | { readonly reply: Reply }> {
    const { inputResponses, requestState } = call.params ?? {};
    const responses = inputResponses === undefined ? {} : inputResponses;
    if (!isObject(responses) || !Object.values(responses).every(isObject)) return { reply: badResponses };
    if (requestState === undefined) return { carried: undefined, responses };
    try {
      const carried = asCarried(await this.#sealer.open(requestState, this.#binding(call.method, caller, work)));
      if (carried !== undefined) return { carried, responses };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.#logger.warn(`${call.method} ${sample(work.name, 100)}: requestState refused: ${error.message}`);
      if (error instanceof ExpiredError) return { reply: expiredState };
    }
    return { reply: badState };
  }

  /**
   * What a run comes to that asks for input.
   *
   * @param questions as they are known, for the state
   * @param sent as they are sent, where that differs
   * @param bound send a state even if there is nothing to remember
   * @throws ReplayError when the state is too large
   */
  async inputRequired(
    { exchange: { caller }, method, work }: Run,
    journal: Journal,
    questions: readonly (readonly [string, InputRequest])[],
    { state, sent = questions, bound }: Required,
  ): Promise<{ readonly reply: Reply }> {
    const carries = bound || state !== undefined || journal.hasSomething || work.once === true;
    const requestState = carries
      ? await this.#seal(await journal.carry(questions, state), method, caller, work)
      : undefined;
    const result = wireOf(caller.revision).lower.inputRequired(
      {
        ...(sent.length > 0 && { inputRequests: Object.fromEntries(sent) }),
        ...(requestState !== undefined && { requestState }),
      },
      this.#info,
    );
    return { reply: { result } };
  }

  async #seal(carried: Carried, method: string, caller: Caller, work: Work): Promise<string> {
    if (this.#keys.ofThisProcess && caller.header !== undefined && !this.#noticed) {
      this.#noticed = true;
      this.#logger.warn(
        'round trips are sealed with a key of this process: give stateKeys, or rounds that reach another process fail',
      );
    }
    const sealed = await this.#sealer.seal({ ...carried }, this.#binding(method, caller, work));
    if (sealed !== undefined) return sealed;
    const { key, chars } = largest(carried);
    const problem = `what has to be remembered is longer than ${maxStateChars} characters: keep handles, not data; most is under ${key} (${chars} characters)`;
    throw new ReplayError('state_too_large', problem);
  }

  /** A state is good for the caller, the server, the call and the version for which it was written. */
  #binding(method: string, { principal, revision }: Caller, { name, args, version }: Work): string {
    return canonical([principal ?? null, this.#info.name, method, name, args, version ?? null, revision]);
  }
}
