import { isObject, type JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { metaKeys } from '../model/meta.ts';
import type { Link, Reply, Service } from '../ports/index.ts';
import { directLink } from '../transport/direct.ts';
import { newest } from '../wire/index.ts';

/** A question that a tool put. */
export interface PutQuestion {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** How the questions of a tool are answered: the bare result by key, or a function that gives it. */
export type GivenAnswers = Readonly<Record<string, JsonObject | ((question: PutQuestion) => JsonObject)>>;

/** Settings of {@link bothGenerations}. */
export interface BothGenerationsOptions {
  /** What is told to `logger` here counts: give it to the server. */
  server: (logger: Logger) => Service;
  tool: string;
  arguments?: JsonObject;
  /** By key. A question without an answer here fails the run. */
  answers?: GivenAnswers;
  /** What the callers declare. Default: everything. */
  capabilities?: JsonObject;
}

/** What a tool came to with callers of both generations. */
export interface BothGenerations {
  readonly modern: JsonObject;
  readonly legacy: JsonObject;
  /** The keys of each round of the modern caller. */
  readonly rounds: readonly (readonly string[])[];
}

const everything: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};
const maxRounds = 10;

/**
 * Runs a tool once for a modern and once for a legacy caller, each with a server of its own, and fails on what a
 * handler does wrong with its questions: an error that it swallowed, an answer that it never waited for, a key that
 * it only sometimes came by, a question that only one of them is asked, results that differ.
 *
 * ```ts
 * const { modern, rounds } = await bothGenerations({
 *   server: (logger) => makeServer({ logger }),
 *   tool: 'deploy',
 *   answers: { confirm: { action: 'accept', content: { ok: true } } },
 * });
 * ```
 *
 * Questions to the legacy caller have no keys: they are known by what the modern one was asked, and of equal ones the
 * first is answered first.
 *
 * @throws Error that says what is wrong, also for protocol errors and more than 10 rounds
 */
export async function bothGenerations(options: BothGenerationsOptions): Promise<BothGenerations> {
  const put: PutQuestion[] = [];
  const rounds: string[][] = [];
  const modern = await watched(options, 'modern', (server) => runModern(server, options, put, rounds));
  const legacy = await watched(options, 'legacy', (server) => runLegacy(server, options, put));
  for (const member of ['isError', 'content'] as const) {
    const [one, other] = [modern, legacy].map((result) => JSON.stringify(result[member]) ?? 'nothing');
    if (one !== other)
      throw new Error(`${options.tool}: ${member} is ${one} for the modern caller and ${other} for the legacy one`);
  }
  return { modern, legacy, rounds };
}

/** Runs with a server whose warnings are failures. */
async function watched(
  { server, tool }: BothGenerationsOptions,
  generation: string,
  run: (server: Service) => Promise<JsonObject>,
): Promise<JsonObject> {
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const result = await run(server({ debug() {}, info() {}, warn: tell, error: tell }));
  if (told.length > 0) throw new Error(`${tool}, ${generation} caller: ${told.join('; ')}`);
  return result;
}

async function runModern(
  server: Service,
  options: BothGenerationsOptions,
  put: PutQuestion[],
  rounds: string[][],
): Promise<JsonObject> {
  const { tool: name, arguments: args = {}, capabilities = everything } = options;
  const link = directLink(server, nobody);
  const _meta = { [metaKeys.protocolVersion]: newest.modern, [metaKeys.clientCapabilities]: capabilities };
  let more: JsonObject = {};
  try {
    for (;;) {
      const params = { name, arguments: args, ...more, _meta };
      const result = resultOf(await link.request({ method: 'tools/call', name, params }));
      if (result['resultType'] !== 'input_required') return result;
      const { inputRequests = {}, requestState } = result as {
        inputRequests?: Record<string, { method: string; params?: JsonObject }>;
        requestState?: string;
      };
      const asked = Object.entries(inputRequests).map(([key, { method, params: of = {} }]) => ({
        key,
        method,
        params: of,
      }));
      put.push(...asked);
      if (rounds.push(asked.map(({ key }) => key)) > maxRounds)
        throw new Error(`${name}: more than ${maxRounds} rounds`);
      const answers = asked.map((question) => [question.key, answerTo(question, options)]);
      more = { inputResponses: Object.fromEntries(answers), ...(requestState !== undefined && { requestState }) };
    }
  } finally {
    await link.close();
  }
}

async function runLegacy(
  server: Service,
  options: BothGenerationsOptions,
  put: readonly PutQuestion[],
): Promise<JsonObject> {
  const { tool: name, arguments: args = {}, capabilities = everything } = options;
  const unasked = [...put];
  // Thrown in a handler for questions, it would be the server's to make what it likes of it.
  const failures: unknown[] = [];
  const answer = (method: string, params: JsonObject): JsonObject => {
    const at = unasked.findIndex((each) => each.method === method && sameQuestion(each.params, params));
    const [known] = at < 0 ? [] : unasked.splice(at, 1);
    if (known === undefined)
      throw new Error(
        `${name}: a question to the legacy caller that the modern one was not asked: ${JSON.stringify(params)}`,
      );
    return answerTo({ ...known, params }, options);
  };
  const link = directLink(server, {
    answer: async ({ method, params = {} }) => {
      try {
        return { result: answer(method, params) };
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
    notice: () => undefined,
  });
  try {
    await handshake(link, capabilities);
    const reply = await link.request({ method: 'tools/call', params: { name, arguments: args } });
    if (failures.length > 0) throw failures[0];
    const [left] = unasked;
    if (left !== undefined)
      throw new Error(`${name}: a question to the modern caller that the legacy one was not asked: "${left.key}"`);
    return resultOf(reply);
  } finally {
    await link.close();
  }
}

async function handshake(link: Link, capabilities: JsonObject): Promise<void> {
  const clientInfo = { name: 'hawser/testing', version: '1' };
  const params = { protocolVersion: newest.legacy, capabilities, clientInfo };
  resultOf(await link.request({ method: 'initialize', params }));
  await link.notify({ method: 'notifications/initialized' });
}

/** Pages are given an id for legacy callers. */
function sameQuestion(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify({ ...other, elicitationId: undefined });
}

function answerTo(question: PutQuestion, { tool, answers = {} }: BothGenerationsOptions): JsonObject {
  const given = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined;
  const answer = typeof given === 'function' ? given(question) : given;
  if (!isObject(answer)) throw new Error(`${tool}: there is no answer to "${question.key}"`);
  return answer;
}

function resultOf({ result, error }: Reply): JsonObject {
  if (error !== undefined) throw new Error(`${error.message} (${error.code})`);
  return result;
}

const nobody: Service = {
  answer: () => Promise.reject(new Error('a modern server asks nothing')),
  notice: () => undefined,
};
