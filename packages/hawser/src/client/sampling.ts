import { McpError, InvalidResponseError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { GuardedLogger } from '../base/logger.ts';
import type { CreateMessageParams, CreateMessageResult } from '../model/inputs.ts';
import type { ClientCapabilities } from '../model/types.ts';
import type { Wire } from '../wire/index.ts';
import { noticeDeprecated } from '../base/deprecations.ts';
import type { AnswerContext } from './elicitation.ts';
import { historyProblem } from './sampling-history.ts';
import { badQuestion, failedHere, notServed, readQuestion, Unanswerable } from './unanswerable.ts';

/** What a sampling handler is given besides the question. */
export interface SampleContext extends AnswerContext {
  /** Who asks, to be shown: what the server calls itself, and where it is. */
  readonly server: string;
}

/**
 * Has a model go on with a conversation (client/sampling); a person should see both the prompt and what comes of it.
 * Throw a {@link RejectedError} when that person says no. `maxTokens` is binding, all else is advice. Hints in
 * `modelPreferences` are in the server's order of preference and name parts of model names; priorities are within 0
 * and 1.
 */
export type SampleHandler = (
  params: CreateMessageParams,
  context: SampleContext,
) => CreateMessageResult | Promise<CreateMessageResult>;

/** A sampling handler, and what it can do besides. */
export interface SampleOptions {
  handle: SampleHandler;
  /** Servers may offer the model tools: declares `sampling.tools`. Without it such requests are refused. */
  tools?: boolean | undefined;
  /** Servers may ask for context of this or of all servers: declares `sampling.context`. Else that wish is dropped. */
  context?: boolean | undefined;
}

const method = 'sampling/createMessage';
/** "User rejected sampling request" (client/sampling "Error Handling"). */
const userRejected = -1;

/** Questions for the client's model (client/sampling). */
export class Sampling {
  readonly #options: SampleOptions | undefined;
  readonly #serverName: () => string;
  readonly #logger: GuardedLogger;

  constructor(options: SampleOptions | undefined, serverName: () => string, logger: GuardedLogger) {
    this.#options = options;
    this.#serverName = serverName;
    this.#logger = logger;
    if (options !== undefined) noticeDeprecated('sampling', logger);
  }

  get capability(): ClientCapabilities['sampling'] {
    if (this.#options === undefined) return undefined;
    const { tools, context } = this.#options;
    return { ...(tools === true && { tools: {} }), ...(context === true && { context: {} }) };
  }

  /** Looks at a question and gives what answers it. @throws Unanswerable */
  prepare(params: JsonObject | undefined, wire: Wire): (signal: AbortSignal) => Promise<CreateMessageResult> {
    const options = this.#options;
    if (options === undefined) throw notServed(method);
    const read = readQuestion(() => wire.lift.createMessageParams(params));
    const offersTools = read.tools !== undefined || read.toolChoice !== undefined;
    if (offersTools && !(options.tools === true && wire.facts.samplesTools))
      throw badQuestion(`${method}: this client has not declared sampling.tools`);
    const problem = optionProblem(read) ?? historyProblem(read.messages);
    if (problem !== undefined) throw badQuestion(`${method}: ${problem}`);
    const { includeContext, modelPreferences, ...rest } = read;
    const wantsContext = includeContext === 'thisServer' || includeContext === 'allServers';
    if (wantsContext) noticeDeprecated('includeContext', this.#logger);
    const preferences = isObject(modelPreferences) ? tidied(modelPreferences) : undefined;
    const asked: CreateMessageParams = {
      ...rest,
      ...(preferences && { modelPreferences: preferences }),
      ...((wantsContext ? options.context === true : includeContext === 'none') && { includeContext }),
    };
    return (signal) => this.#ask(options.handle, asked, signal, wire);
  }

  async #ask(handle: SampleHandler, asked: CreateMessageParams, signal: AbortSignal, wire: Wire) {
    try {
      const said: unknown = await handle(asked, { signal, server: this.#serverName() });
      return wire.lift.createMessageResult(isObject(said) ? { role: 'assistant', ...said } : said);
    } catch (error) {
      if (McpError.is(error) && error.code === 'rejected')
        throw new Unanswerable(userRejected, 'the user rejected the sampling request', 'local', error);
      if (!(error instanceof InvalidResponseError)) throw error;
      this.#logger.error(`${method}: the handler gave no result: ${error.message}`);
      throw failedHere('the client could not answer', error);
    }
  }
}

/** What is wrong with the parameters besides the messages. */
function optionProblem(params: CreateMessageParams): string | undefined {
  // A peer wrote it: its types are promises until here.
  const given: Partial<Record<keyof CreateMessageParams, unknown>> = params;
  const { maxTokens, systemPrompt, temperature, stopSequences, metadata, tools, toolChoice } = given;
  if (!Number.isFinite(maxTokens) || Number(maxTokens) <= 0) return 'maxTokens is not a number above 0';
  if (systemPrompt !== undefined && typeof systemPrompt !== 'string') return 'systemPrompt is not a string';
  if (temperature !== undefined && !Number.isFinite(temperature)) return 'temperature is not a number';
  if (stopSequences !== undefined && !(Array.isArray(stopSequences) && stopSequences.every(isText)))
    return 'stopSequences is not a list of strings';
  if (metadata !== undefined && !isObject(metadata)) return 'metadata is not an object';
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isTool))) return 'tools is not a list of tools';
  if (toolChoice !== undefined && !isObject(toolChoice)) return 'toolChoice is not an object';
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTool(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && isObject(value['inputSchema']);
}

/** Preferences as the protocol has them: hints are objects with a name, priorities numbers from 0 to 1. */
function tidied({ hints, ...rest }: JsonObject): NonNullable<CreateMessageParams['modelPreferences']> {
  const given: unknown[] = Array.isArray(hints) ? hints : [hints];
  const named = given
    .map((hint) => (isObject(hint) ? hint['name'] : hint))
    .filter((name): name is string => typeof name === 'string');
  const priorities = (['costPriority', 'speedPriority', 'intelligencePriority'] as const).flatMap((name) => {
    const priority = rest[name];
    if (typeof priority !== 'number' || !Number.isFinite(priority)) return [];
    return [[name, Math.min(1, Math.max(0, priority))] as const];
  });
  return { ...(named.length > 0 && { hints: named.map((name) => ({ name })) }), ...Object.fromEntries(priorities) };
}
