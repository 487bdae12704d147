import { AbortError, McpError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { isSuspended } from '../../base/suspended.ts';
import type { InputRequest } from '../../model/inputs.ts';
import type { StepTools } from './author-types.ts';
import { digest } from './state/digest.ts';
import { nested, ReplayError, StepError, type RecordedFailure } from './errors.ts';
import type { AnswerEntry, Journal, StepEntry } from './state/journal.ts';
import type { Question } from './questions/question.ts';
import type { Asking, Run, Settled } from './work.ts';

/** Longest value of a step, as JSON. */
const maxStepBytes = 16_384;

const encoder = new TextEncoder();

/** What a question is about. */
export type QuestionKind = AnswerEntry['kind'];

/** One run of a handler, as far as it asks and remembers. What is the same for callers of both generations. */
export abstract class Attempt implements Asking {
  readonly responses: Readonly<Record<string, unknown>>;
  protected readonly run: Run;
  protected readonly journal: Journal;
  protected readonly logger: Logger;
  /** The step whose function is being called right now. */
  #within: string | undefined;
  #stepped = false;

  constructor(run: Run, journal: Journal, responses: Readonly<Record<string, unknown>>, logger: Logger) {
    this.run = run;
    this.journal = journal;
    this.responses = responses;
    this.logger = logger;
  }

  get state(): Json | undefined {
    return this.journal.state;
  }

  /** Whether the function of a step was called: then something may have been done. */
  protected get stepped(): boolean {
    return this.#stepped;
  }

  /** The handler has settled: tells the run what it came to, as soon as that is known. */
  abstract settled(settled: Settled): void;

  protected abstract put<Value>(key: string, kind: QuestionKind, question: Question<Value>): Promise<Value>;

  /** What a question or step gets instead of being put or run; undefined while handlers may go on. */
  protected held(): Promise<never> | undefined {
    return undefined;
  }

  /** Something has begun that has to end before the run may be suspended: the judgement of an answer, or a step. */
  protected begin(_key: string): void {}
  /** The function of the step is called now. */
  protected called(_key: string): void {}
  protected end(_key: string): void {}

  async answer<Value>(key: string, make: () => Question<Value>): Promise<Value> {
    const held = this.held();
    if (held !== undefined) return held;
    if (this.#within !== undefined) throw nested(key, this.#within);
    const question = make();
    return this.put(key, kindOf(question.request), question);
  }

  async step<Value>(key: string, run: (tools: StepTools) => Value | Promise<Value>): Promise<Value> {
    const before = this.held();
    if (before !== undefined) return before;
    const known = this.journal.claim(key, 'step') as StepEntry | undefined;
    // What the function gave once, as JSON has it.
    if (known !== undefined) return replayed(key, known) as Value;
    this.begin(key);
    const idempotencyKey = await digest(`${this.journal.chain}\n${key}`);
    const held = this.held();
    if (held !== undefined) {
      this.end(key);
      return held;
    }
    try {
      const value = asJson(key, await this.#call(key, idempotencyKey, run));
      const entry: StepEntry = { kind: 'step', ...(value !== undefined && { value }) };
      this.journal.log.set(key, entry);
      return replayed(key, entry) as Value;
    } catch (error) {
      // A handler's own mistakes and a suspension are not what the step came to.
      if (isSuspended(error) || error instanceof ReplayError) throw error;
      const failure = recorded(error);
      this.journal.log.set(key, { kind: 'step', failure });
      this.logger.debug(`the step "${key}" failed`, error);
      throw new StepError(key, failure);
    } finally {
      this.end(key);
    }
  }

  /** Within only until the function first waits: afterwards nobody can tell whose question a question is. */
  #call<Value>(key: string, idempotencyKey: string, run: (tools: StepTools) => Value): Value {
    const { run: running } = this;
    const outer = this.#within;
    this.#within = key;
    this.#stepped = true;
    this.called(key);
    try {
      return run({
        idempotencyKey,
        // Read by name: a signal is made for those who look at it.
        get signal() {
          return running.cancel.signal;
        },
      });
    } finally {
      this.#within = outer;
    }
  }

  /** What the author should know of a run that came to its end. */
  protected remark(settled: Settled): void {
    if ('value' in settled && this.journal.unused.length > 0)
      this.logger.warn(
        `${this.run.work.name}: known from an earlier round, not asked for in this one`,
        this.journal.unused,
      );
  }
}

function kindOf(request: InputRequest): QuestionKind {
  switch (request.method) {
    case 'elicitation/create':
      return request.params.mode === 'url' ? 'page' : 'form';
    case 'sampling/createMessage':
      return 'sample';
    case 'roots/list':
      return 'roots';
  }
}

function replayed(key: string, { value, failure }: StepEntry): unknown {
  if (failure !== undefined) throw new StepError(key, failure);
  // A copy: what the handler does to it must not get into the next round.
  return structuredClone(value);
}

/** The value as it will be in the next round. */
function asJson(key: string, value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ReplayError('not_json', `the value of the step "${key}" cannot be written as JSON`, { cause });
  }
  if (text === undefined) {
    throw new ReplayError('not_json', `the value of the step "${key}" is no JSON but a ${typeof value}`);
  }
  const bytes = encoder.encode(text).length;
  if (bytes > maxStepBytes) {
    const problem = `the value of the step "${key}" has ${bytes} bytes, at most ${maxStepBytes} are kept: give a handle, not the data`;
    throw new ReplayError('step_too_large', problem);
  }
  return JSON.parse(text) as Json;
}

/** What is kept of a failure, whatever was thrown: also what cannot be read or written as text. */
function recorded(error: unknown): RecordedFailure {
  try {
    const { name, message, code } = (error ?? {}) as { name?: unknown; message?: unknown; code?: unknown };
    const said = McpError.is(error) || error instanceof Error || typeof message === 'string' ? message : error;
    return {
      name: typeof name === 'string' ? name.slice(0, 100) : 'Error',
      message: String(said).slice(0, 1_000),
      ...(typeof code === 'string' && { code: code.slice(0, 100) }),
      ...(typeof code === 'number' && Number.isFinite(code) && { code }),
    };
  } catch {
    return { name: 'Error', message: 'the step failed with what is no error and no text' };
  }
}

/** What ends the questions that are still open, and the signal of the run, once the handler has settled. */
export function tooLate(): AbortError {
  return new AbortError('the handler has come to its end');
}
