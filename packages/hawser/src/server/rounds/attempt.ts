import { McpError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { isSuspended } from '../../base/suspended.ts';
import type { InputRequest } from '../../model/inputs.ts';
import type { CallContext } from '../call-context.ts';
import type { StepTools } from './asks.ts';
import type { Asking } from './asking.ts';
import { digest } from './digest.ts';
import { ReplayError, StepError, type RecordedFailure } from './errors.ts';
import type { Journal, Kind, StepEntry } from './journal.ts';
import type { Question } from './question.ts';

/** Longest value of a step, as JSON. */
export const maxStepBytes = 16_384;

const encoder = new TextEncoder();

/** One run of a handler, as far as it asks and remembers. What is the same for callers of both generations. */
export abstract class Attempt implements Asking {
  readonly journal: Journal;
  readonly responses: Readonly<Record<string, unknown>>;
  protected readonly context: CallContext;
  protected readonly logger: Logger;
  /** The step whose function is being called right now. */
  #within: string | undefined;

  constructor(context: CallContext, journal: Journal, responses: Readonly<Record<string, unknown>>, logger: Logger) {
    this.context = context;
    this.journal = journal;
    this.responses = responses;
    this.logger = logger;
  }

  get state(): Json | undefined {
    return this.journal.state;
  }

  /** Once the run is as good as over, whatever the handler still asks or does never comes back. */
  protected abstract readonly parked: boolean;
  protected abstract park(): Promise<never>;
  /** Something runs that has to end before the run may be suspended. */
  protected abstract begin(key: string): void;
  protected abstract end(key: string): void;
  protected abstract put<Value>(key: string, kind: Exclude<Kind, 'step'>, question: Question<Value>): Promise<Value>;

  async answer<Value>(key: string, make: () => Question<Value>): Promise<Value> {
    if (this.parked) return this.park();
    if (this.#within !== undefined) {
      const problem = `"${key}" is asked within the step "${this.#within}": ask first, then use the answer in the step`;
      throw new ReplayError('nested', problem);
    }
    const question = make();
    return this.put(key, kindOf(question.request), question);
  }

  async step<Value>(key: string, run: (tools: StepTools) => Value | Promise<Value>): Promise<Value> {
    if (this.parked) return this.park();
    const known = this.journal.claim(key, 'step') as StepEntry | undefined;
    // What the function gave once, as JSON has it.
    if (known !== undefined) return replayed(key, known) as Value;
    this.begin(key);
    try {
      const idempotencyKey = await digest(`${this.journal.chain}\n${key}`);
      // Read by name: a signal is made for those who look at it.
      const { context } = this;
      const tools: StepTools = {
        idempotencyKey,
        get signal() {
          return context.signal;
        },
      };
      const value = asJson(key, await this.#call(key, () => run(tools)));
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

  /** Only until the function first waits: afterwards nobody can tell whose question a question is. */
  #call<Value>(key: string, run: () => Value): Value {
    const outer = this.#within;
    this.#within = key;
    try {
      return run();
    } finally {
      this.#within = outer;
    }
  }
}

function kindOf(request: InputRequest): Exclude<Kind, 'step'> {
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

function recorded(error: unknown): RecordedFailure {
  const { name, message, code } = (error ?? {}) as { name?: unknown; message?: unknown; code?: unknown };
  const said = McpError.is(error) || error instanceof Error || typeof message === 'string' ? message : error;
  return {
    name: typeof name === 'string' ? name.slice(0, 100) : 'Error',
    message: String(said).slice(0, 1_000),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
  };
}
