/** What a run of a handler has come to know, and which keys it has used. */
import type { Json, JsonObject } from '../../../base/json.ts';
import { canonical, digest } from './digest.ts';
import { NoFitError, ReplayError, type RecordedFailure } from '../errors.ts';

/** What a key stands for. */
export type Kind = 'form' | 'page' | 'sample' | 'roots' | 'step';

/** A step that ran. Without value and failure it gave nothing. */
export interface StepEntry {
  readonly kind: 'step';
  readonly value?: Json | undefined;
  readonly failure?: RecordedFailure | undefined;
}

/** A question that was answered. */
export interface AnswerEntry {
  readonly kind: Exclude<Kind, 'step'>;
  readonly answer: unknown;
  /** Of the question; the digest of one from an earlier round, the canonical text of one of this round. */
  readonly question: { readonly digest: string } | { readonly text: string };
}

type Entry = StepEntry | AnswerEntry;

/** What travels from round to round. */
export interface Carried {
  /** Names the rounds of one call. */
  readonly chain: string;
  /** 1 with the first state. */
  readonly round: number;
  readonly log: readonly (readonly [string, Entry])[];
  /** Questions under way: the digest of each. */
  readonly asked: readonly (readonly [string, string])[];
  /** How often a question was put again. */
  readonly again: readonly (readonly [string, number])[];
  /** What a handler gave to `inputRequired`. */
  readonly state?: Json | undefined;
}

const maxKeyLength = 256;
/** How often a question is put again before it is given up. */
const maxAgain = 3;

/** The log of a chain of rounds, as one run of the handler sees it. */
export class Journal {
  readonly log: Map<string, Entry>;
  readonly asked: ReadonlyMap<string, string>;
  /** Names the rounds of one call. */
  readonly chain: string;
  /** 0 without a state. */
  readonly round: number;
  readonly state: Json | undefined;
  readonly #again: Map<string, number>;
  readonly #used = new Map<string, Kind>();

  constructor(chain: string, carried?: Carried) {
    this.chain = carried?.chain ?? chain;
    this.round = carried?.round ?? 0;
    this.log = new Map(carried?.log);
    this.asked = new Map(carried?.asked);
    this.#again = new Map(carried?.again);
    this.state = carried?.state;
  }

  /**
   * Takes a key for this run; what is known of it.
   *
   * @throws ReplayError for a key that is none, that is used twice, or that stood for something else
   */
  claim(key: string, kind: Kind): Entry | undefined {
    if (typeof key !== 'string' || key === '' || key.length > maxKeyLength)
      throw new ReplayError('bad_key', `a key is a text of 1 to ${maxKeyLength} characters`);
    const before = this.#used.get(key);
    if (before !== undefined) {
      const problem = `the key "${key}" was used already in this run, for a ${before}; in a loop put the index into it`;
      throw new ReplayError('duplicate_key', problem);
    }
    this.#used.set(key, kind);
    const entry = this.log.get(key);
    if (entry === undefined || entry.kind === kind) return entry;
    const problem = `the key "${key}" is a ${kind} in this round and was a ${entry.kind} before; a handler has to take the same way in each round`;
    throw new ReplayError('replay_conflict', problem);
  }

  /**
   * Forgets the answer under a key, since the question is another one than was answered.
   *
   * @throws ReplayError when it changed too often
   */
  changed(key: string): void {
    const times = this.#forget(key);
    if (times <= maxAgain) return;
    const problem = `the question "${key}" was put ${times} times, each time another one: it must not depend on clocks or chance, take those from a step`;
    throw new ReplayError('replay_conflict', problem);
  }

  /**
   * Forgets the answer under a key, since its content does not fit.
   *
   * @throws NoFitError when that was so too often
   */
  unfit(key: string, why: string): void {
    const times = this.#forget(key);
    if (times > maxAgain) throw new NoFitError(key, why, times);
  }

  #forget(key: string): number {
    const times = (this.#again.get(key) ?? 0) + 1;
    this.#again.set(key, times);
    this.log.delete(key);
    return times;
  }

  /** Keys that were known and that this run did not come by. */
  get unused(): string[] {
    return [...this.log.keys()].filter((key) => !this.#used.has(key));
  }

  /** Whether the next round needs any of it. */
  get hasSomething(): boolean {
    return this.log.size > 0 || this.#again.size > 0;
  }

  /** For the next round. */
  async carry(asked: readonly (readonly [string, unknown])[], state?: Json): Promise<Carried> {
    const log = [...this.log].map(async ([key, entry]) => [key, await settled(entry)] as const);
    const questions = asked.map(async ([key, request]) => [key, await digest(canonical(request))] as const);
    return {
      chain: this.chain,
      round: this.round + 1,
      log: await Promise.all(log),
      asked: await Promise.all(questions),
      again: [...this.#again],
      ...(state !== undefined && { state }),
    };
  }
}

async function settled(entry: Entry): Promise<Entry> {
  if (entry.kind === 'step' || 'digest' in entry.question) return entry;
  return { ...entry, question: { digest: await digest(entry.question.text) } };
}

/** Whether a request is the question that was put before. */
export async function isQuestion(question: AnswerEntry['question'], request: unknown): Promise<boolean> {
  const text = canonical(request);
  return 'text' in question ? question.text === text : question.digest === (await digest(text));
}

/** The key that takes most room. */
export function largest({ log, state }: Carried): { key: string; chars: number } {
  let found = { key: 'the state given to inputRequired', chars: JSON.stringify(state ?? null).length };
  for (const [key, entry] of log) {
    const chars = JSON.stringify(entry).length;
    if (chars > found.chars) found = { key: `"${key}"`, chars };
  }
  return found;
}

/** As it was sealed here; nobody else can have written it. */
export function asCarried(content: JsonObject): Carried | undefined {
  const { chain, round, log, asked, again } = content;
  const whole =
    typeof chain === 'string' && typeof round === 'number' && [log, asked, again].every((list) => Array.isArray(list));
  // What the lists hold is of the types it was sealed with.
  return whole ? (content as unknown as Carried) : undefined;
}
