import { McpError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample, type Logger } from '../base/logger.ts';
import type { ElicitParams, ElicitResult, ElicitUrlParams } from '../model/inputs.ts';
import type { ClientCapabilities, JsonSchema } from '../model/types.ts';
import type { Wire } from '../wire/index.ts';
import { Form } from './form.ts';
import { badQuestion, failedHere, notServed, readQuestion } from './unanswerable.ts';

/** A server asks a person to fill in a form. */
export interface FormQuestion {
  readonly mode: 'form';
  readonly message: string;
  /** A flat object of text, numbers, booleans and choices, with the defaults to show at first. */
  readonly schema: JsonSchema;
  /** Who asks, to be shown: what the server calls itself, and where it is. */
  readonly server: string;
  /** `_meta` of the question, if it has any. */
  readonly meta?: JsonObject;
}

/**
 * A server asks a person to go to an address. The person has to see all of it and agree before it is opened; nobody
 * fetches it before that (client/elicitation "Safe URL Handling").
 */
export interface UrlQuestion {
  readonly mode: 'url';
  readonly message: string;
  /** An `http:` or `https:` URL without credentials. */
  readonly url: string;
  /** 2025-11-25 only; later notices of the server name it. */
  readonly elicitationId?: string;
  /** Who asks, to be shown: what the server calls itself, and where it is. */
  readonly server: string;
  /** `_meta` of the question, if it has any. */
  readonly meta?: JsonObject;
}

/** What handlers are given besides the question. */
export interface AnswerContext {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** An answer that says what the person did. */
export interface ElicitAnswer {
  action: 'accept' | 'decline' | 'cancel';
  /** What was filled in; with `accept` only. */
  content?: JsonObject;
  _meta?: JsonObject;
}

/**
 * Has a person fill in a form. Gives the content, which counts as accepted, or an object with an `action`; content with
 * a field called `action` has to be wrapped: `{ action: 'accept', content }`. An action other than `accept`, `decline`
 * and `cancel` is `cancel`, and so is whatever is no object. Fields that are missing get their defaults.
 */
export type FormHandler = (
  question: FormQuestion,
  context: AnswerContext,
) => JsonObject | ElicitAnswer | Promise<JsonObject | ElicitAnswer>;

/**
 * Has a person decide about an address: `true` to accept, `false` to decline, or an object with an `action`. Whatever
 * else comes is `cancel`.
 * Accepting means to open it, not that what is to be done there is done.
 */
export type UrlHandler = (
  question: UrlQuestion,
  context: AnswerContext,
) => boolean | ElicitAnswer | Promise<boolean | ElicitAnswer>;

/** Handlers by mode; a client declares the modes it has one for. */
export interface ElicitHandlers {
  form?: FormHandler | undefined;
  url?: UrlHandler | undefined;
}

const method = 'elicitation/create';
const actions: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** Questions for a person (client/elicitation). */
export class Elicitation {
  readonly #handlers: ElicitHandlers;
  readonly #serverName: () => string;
  readonly #logger: Logger;
  #warnedOfId = false;

  constructor(handlers: ElicitHandlers, serverName: () => string, logger: Logger) {
    this.#handlers = handlers;
    this.#serverName = serverName;
    this.#logger = logger;
  }

  /** What is declared: the modes that have a handler. */
  get capability(): ClientCapabilities['elicitation'] {
    const { form, url } = this.#handlers;
    if (form === undefined && url === undefined) return undefined;
    return { ...(form && { form: {} }), ...(url && { url: {} }) };
  }

  /** Looks at a question and gives what answers it. @throws Unanswerable */
  prepare(params: JsonObject | undefined, wire: Wire): (signal: AbortSignal) => Promise<ElicitResult> {
    const { form, url } = this.#handlers;
    if (form === undefined && url === undefined) throw notServed(method);
    const question = readQuestion(() => wire.lift.elicitParams(params));
    if (question.mode === 'url') {
      if (url === undefined || wire.facts.elicits !== 'forms-and-urls') throw undeclared('url');
      const asked = this.#urlQuestion(question, wire);
      return async (signal) => consent(await answered(() => url(asked, { signal })));
    }
    if (form === undefined) throw undeclared('form');
    const ready = new Form(question.requestedSchema);
    const asked = { mode: 'form' as const, message: question.message, schema: question.requestedSchema };
    return async (signal) =>
      this.#filled(await answered(() => form({ ...asked, ...this.#who(question) }, { signal })), ready);
  }

  #who({ _meta }: ElicitParams): { server: string; meta?: JsonObject } {
    return { server: this.#serverName(), ...(_meta && { meta: _meta }) };
  }

  #urlQuestion(question: ElicitUrlParams, { facts, revision }: Wire): UrlQuestion {
    const { mode, message, url, elicitationId } = question;
    if (!isSafe(url)) throw badQuestion(`${method}: the URL is not a plain http: or https: URL`);
    const asked = { mode, message, url, ...this.#who(question) };
    if (elicitationId === undefined) return asked;
    if (facts.asks === 'request') return { ...asked, elicitationId };
    if (!this.#warnedOfId) this.#logger.warn(`${method}: elicitationId does not exist in ${revision}; it is left out`);
    this.#warnedOfId = true;
    return asked;
  }

  /** Whatever does not fit is never sent as accepted: that would be the server's to find out. */
  #filled(answer: unknown, form: Form): ElicitResult {
    if (!isObject(answer)) return { action: 'cancel' };
    const wrapped = Object.hasOwn(answer, 'action');
    const result: ElicitResult = wrapped ? saidAction(answer) : { action: 'accept' };
    if (result.action !== 'accept') return result;
    const given = wrapped ? (answer['content'] ?? {}) : answer;
    const content = isObject(given) ? form.filled(given) : undefined;
    const problems = content === undefined ? ['the content is not an object'] : form.problems(content);
    if (content === undefined || problems.length > 0) {
      const said = sample(problems.join('; '), 400);
      this.#logger.error(`${method}: the answer does not fit the form: ${said}`);
      const what = 'the answer does not fit the requested schema';
      throw failedHere(what, undefined, `${what}: ${said}`);
    }
    return { ...result, content };
  }
}

function undeclared(mode: string): Error {
  return badQuestion(`${method}: this client has not declared the mode ${mode}`);
}

/** Runs a handler; a person may also say no by throwing. */
async function answered(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (McpError.is(error) && error.code === 'rejected') return { action: 'decline' };
    throw error;
  }
}

function consent(answer: unknown): ElicitResult {
  if (typeof answer === 'boolean') return { action: answer ? 'accept' : 'decline' };
  return isObject(answer) ? saidAction(answer) : { action: 'cancel' };
}

/** What is not one of the three is not what the person said. */
function saidAction({ action, _meta }: JsonObject): ElicitResult {
  if (!actions.has(action)) return { action: 'cancel' };
  return { action: action as ElicitResult['action'], ...(isObject(_meta) && { _meta }) };
}

/**
 * Only the web, no credentials that make one host look like another, and no characters that are dropped or read
 * differently when the address is opened.
 */
function isSafe(url: string): boolean {
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(url) || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}
