import type { InputRequest } from '../../model/inputs.ts';
import { nested } from './errors.ts';
import { corrected } from './questions/question.ts';

/** A question that goes to the caller with the cut. */
interface Pending {
  readonly request: InputRequest;
  /** What was wrong with the answer before. */
  readonly again: string | undefined;
  readonly bound: boolean;
  /** When it was asked, in milliseconds of the clock. */
  readonly since: number;
  /** Steps in which it may have been asked: those whose functions had been called by then. */
  readonly steps: readonly string[];
  reject(reason: unknown): void;
}

/** What waits for the cut: the questions of one round, and what came while its request was being refused. */
export class Round {
  readonly #questions = new Map<string, Pending>();
  readonly #held: ((reason: unknown) => void)[] = [];

  get size(): number {
    return this.#questions.size;
  }

  get keys(): string[] {
    return [...this.#questions.keys()];
  }

  /** As their handler put them. */
  get questions(): readonly (readonly [string, InputRequest])[] {
    return [...this.#questions].map(([key, { request }]) => [key, request]);
  }

  /** The same, as they are sent: with what was wrong with the answers before. */
  get sent(): readonly (readonly [string, InputRequest])[] {
    return [...this.#questions].map(([key, { request, again }]) => [key, corrected(request, again)]);
  }

  /** Whether some of them take an answer only with a state. */
  get bound(): boolean {
    return [...this.#questions.values()].some(({ bound }) => bound);
  }

  add(key: string, pending: Pending): void {
    this.#questions.set(key, pending);
  }

  /** Rejects with the cut, and is no question. */
  hold(): Promise<never> {
    return new Promise<never>((_, reject) => {
      this.#held.push(reject);
    });
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.#questions.values()) reject(reason);
    for (const reject of this.#held.splice(0)) reject(reason);
  }

  /** Nobody waits for the answers any more. */
  dissolve(reason: unknown): void {
    this.rejectAll(reason);
    this.#questions.clear();
  }

  /**
   * Takes out the questions that have waited since `longAgo` for a step in which they may have been asked: the step
   * waits for them, and nobody else can notice.
   */
  unravel(longAgo: number, running: (step: string) => boolean): void {
    for (const [key, { since, steps, reject }] of this.#questions) {
      const step = since > longAgo ? undefined : steps.find(running);
      if (step === undefined) continue;
      this.#questions.delete(key);
      reject(nested(key, step));
    }
  }
}
