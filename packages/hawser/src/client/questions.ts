import { Cancel, follow } from '../base/cancel.ts';
import { AbortError } from '../base/errors.ts';
import { errorCodes } from '../model/meta.ts';
import type { Call, Exchange, Reply } from '../ports/index.ts';
import type { Wire } from '../wire/index.ts';
import type { Inputs } from './inputs.ts';
import type { Holder, Pending } from './pending.ts';
import type { Requests } from './requests.ts';

/** Most questions at a time: each may put a window before a person. */
const maxOpen = 100;

/** The link a question came on. */
export interface Asking {
  /** What is spoken on it; undefined before that is settled. */
  readonly wire: Wire | undefined;
  /** Aborts when the link has ended. */
  readonly ended: AbortSignal;
}

/**
 * Questions of legacy servers. A server may need the answer to finish a call of ours and cannot say which, so while it
 * is being given none of the calls that were under way times out; only their hard limits go on.
 */
export class Questions {
  readonly #inputs: Inputs;
  readonly #requests: Requests;
  #open = 0;

  constructor(inputs: Inputs, requests: Requests) {
    this.#inputs = inputs;
    this.#requests = requests;
  }

  async handle(call: Call, exchange: Exchange, { wire, ended }: Asking): Promise<Reply> {
    if (call.method === 'ping') return { result: {} };
    if (wire === undefined)
      return { error: { code: errorCodes.invalidRequest, message: 'the session has not begun yet' } };
    if (this.#open >= maxOpen)
      return { error: { code: errorCodes.internal, message: `there are ${maxOpen} questions open already` } };
    this.#open++;
    const question = new Question(this.#requests.underWay);
    const { cancel } = question;
    exchange.cancel.onCancel((reason) => cancel.cancel(reason));
    const unfollow = follow(ended, cancel);
    try {
      return await this.#inputs.answer(call, wire, cancel.signal);
    } finally {
      this.#open--;
      unfollow();
      question.answered();
    }
  }
}

/** One question that is being answered, and the calls that may depend on it. */
class Question implements Holder {
  readonly cancel = new Cancel();
  readonly #waiting: Set<Pending>;
  #ownAccord: boolean;

  constructor(underWay: ReadonlySet<Pending>) {
    this.#waiting = new Set(underWay);
    // Asked for no call's sake, as far as can be seen.
    this.#ownAccord = underWay.size === 0;
    for (const pending of underWay) pending.hold(this);
  }

  answered(): void {
    for (const pending of this.#waiting) pending.letGo(this);
    this.cancel.done();
  }

  /** When all calls it can have been for were given up, nobody needs the answer. */
  over(pending: Pending, givenUp: boolean): void {
    this.#waiting.delete(pending);
    if (!givenUp) this.#ownAccord = true;
    if (this.#waiting.size === 0 && !this.#ownAccord)
      this.cancel.cancel(new AbortError('the calls it was asked for were given up'));
  }
}
