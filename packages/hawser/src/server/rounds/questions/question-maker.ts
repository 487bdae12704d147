import { ArgumentError } from '../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { sample, type Logger } from '../../../base/logger.ts';
import type { CreateMessageResult } from '../../../model/inputs.ts';
import type { Exchange, SchemaIssue, Validator } from '../../../ports/index.ts';
import { checkerFor, type Checker } from '../../../schema/checker.ts';
import { compile } from '../../../schema/compile.ts';
import { isStandardSchema, type AnySchema } from '../../../schema/standard.ts';
import { wireOf } from '../../../wire/index.ts';
import { CannotAskError, demand } from './abilities.ts';
import type { AskOptions, Elicited, FormAsk, RootPlace, SampleAsk, UrlAsk } from '../author-types.ts';
import { formOf, type Form } from './form.ts';
import { placesOf } from './places.ts';
import type { Question, Taken } from './question.ts';
import { conversationProblem, talksOfTools } from './sampling.ts';
import type { Run } from '../work.ts';

/** Most forms whose secrets are told of: keys may have anything in them. */
const maxTold = 1_000;

/** Makes questions of what handlers write, checked for the caller they are for. */
export class QuestionMaker {
  readonly #validator: Validator;
  readonly #logger: Logger;
  /** Forms of schemas that were used before: most are made once and asked often. */
  readonly #forms = new WeakMap<AnySchema, { form: Form; checker: Checker }>();
  /** Forms that the author was told of. */
  readonly #told = new Set<string>();

  constructor(validator: Validator, logger: Logger) {
    this.#validator = validator;
    this.#logger = logger;
  }

  /** @throws ArgumentError for what is no question, CapabilityError when the caller cannot be asked it */
  elicit(run: Run, key: string, ask: FormAsk | UrlAsk): Question<Elicited<unknown>> {
    const given: unknown = ask;
    if (!isObject(given)) throw new ArgumentError('a question is { message, schema } or { message, url }');
    return 'url' in ask ? this.#page(run.exchange, ask) : this.#form(run, key, ask);
  }

  #form(run: Run, key: string, { message, schema, bound = false }: FormAsk): Question<Elicited<unknown>> {
    const { exchange } = run;
    demandText(message);
    const { form, checker } = this.#formOf(schema);
    if (form.secrets.length > 0) this.#tellOfSecrets(run.work.name, key, form.secrets);
    demand(exchange, 'elicit');
    const { facts, lift } = wireOf(exchange.caller.revision);
    if (form.severalChoices && facts.elicits === 'forms')
      throw new CannotAskError('elicit', 'its revision has no choices of several at a time');
    return {
      request: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: form.schema } },
      bound,
      take(answer) {
        const { action, content } = lift.elicitResult(answer);
        if (action !== 'accept') return { value: { action } };
        return checked(checker, { ...form.defaults, ...content });
      },
    };
  }

  #page(exchange: Exchange, { message, url, bound = false }: UrlAsk): Question<Elicited<undefined>> {
    demandText(message);
    demandPage(url);
    demand(exchange, 'elicit-url');
    const { lift } = wireOf(exchange.caller.revision);
    return {
      request: { method: 'elicitation/create', params: { mode: 'url', message, url } },
      bound,
      take(answer) {
        const { action } = lift.elicitResult(answer);
        return { value: action === 'accept' ? { action, content: undefined } : { action } };
      },
    };
  }

  /** @throws ArgumentError when the conversation makes no sense, CapabilityError when the caller has no such model */
  sample(exchange: Exchange, { sample: given, bound = false }: SampleAsk): Question<CreateMessageResult> {
    if (!isObject(given)) throw new ArgumentError('sample: it needs { messages, maxTokens }');
    const problem = conversationProblem(given);
    if (problem !== undefined) throw new ArgumentError(`sample: ${problem}`);
    demand(exchange, talksOfTools(given) ? 'sample-tools' : 'sample');
    const { facts, lift } = wireOf(exchange.caller.revision);
    const { includeContext, ...params } = given;
    // Only where clients can say that they have such contexts they must have said so.
    const declared = !facts.samplesTools || exchange.caller.capabilities.sampling?.context !== undefined;
    const taken = declared || includeContext === 'none';
    if (includeContext !== undefined && !taken)
      this.#logger.warn('sample: the caller gives no contexts of servers, includeContext is left out');
    return {
      request: {
        method: 'sampling/createMessage',
        params: { ...params, ...(includeContext !== undefined && taken && { includeContext }) },
      },
      bound,
      take: (answer) => ({ value: lift.createMessageResult(answer) }),
    };
  }

  /** @throws CapabilityError when the caller tells none */
  roots(exchange: Exchange, { bound = false }: AskOptions): Question<RootPlace[]> {
    demand(exchange, 'roots');
    const { lift } = wireOf(exchange.caller.revision);
    return {
      request: { method: 'roots/list' },
      bound,
      take: (answer) => ({ value: placesOf(lift.rootsResult(answer).roots, this.#logger) }),
      refused: ({ message }) => {
        this.#logger.warn(`the caller did not tell its roots: ${sample(message)}`);
        return [];
      },
    };
  }

  #formOf(schema: AnySchema): { form: Form; checker: Checker } {
    if (!isObject(schema) && typeof schema !== 'function') throw new ArgumentError('a form needs a schema');
    const known = this.#forms.get(schema);
    if (known !== undefined) return known;
    const made = withFormats(checkerFor(schema, 'input', this.#validator), schema);
    this.#forms.set(schema, made);
    return made;
  }

  /** Once for each form, however often it is asked or its schema is made. */
  #tellOfSecrets(name: string, key: string, secrets: readonly string[]): void {
    const form = JSON.stringify([name, key]);
    if (this.#told.has(form) || this.#told.size >= maxTold) return;
    this.#told.add(form);
    this.#logger.warn(
      `${sample(name, 100)}: the form "${sample(key, 100)}" must not ask for secrets (${secrets.join(', ')}): the client and its model may read them; ask for a page`,
    );
  }
}

/**
 * Formats are annotations to validators of JSON Schema, and a promise to whoever sends a form; a schema's own library
 * decides by itself.
 */
function withFormats(checker: Checker, schema: AnySchema): { form: Form; checker: Checker } {
  const form = formOf(checker.jsonSchema);
  if (isStandardSchema(schema) || !form.hasFormats) return { form, checker };
  return {
    form,
    checker: {
      jsonSchema: checker.jsonSchema,
      async check(value) {
        const checking = await checker.check(value);
        if (checking.errors !== undefined) return checking;
        const result = (await compile(form.schema, { assertFormats: true })).validate(value, { maxIssues: 5 });
        return result.valid ? checking : { errors: result.issues };
      },
    },
  };
}

async function checked(checker: Checker, content: JsonObject): Promise<Taken<Elicited<unknown>>> {
  const { errors, ...rest } = await checker.check(content);
  if (errors !== undefined) return { again: forAPerson(errors) };
  return { value: { action: 'accept', content: (rest as { value: unknown }).value } };
}

/** What is wrong with a content, by the names of its members: read by whoever fills in the form again. */
function forAPerson(errors: readonly SchemaIssue[]): string {
  return errors
    .slice(0, 5)
    .map(({ path, message }) => (path === '' ? message : `${path.slice(1)}: ${message}`))
    .join('; ');
}

function demandText(message: unknown): void {
  if (typeof message !== 'string' || message === '') throw new ArgumentError('a question needs a message');
}

function demandPage(url: string): void {
  let page: URL;
  try {
    page = new URL(url);
  } catch (cause) {
    throw new ArgumentError('the url of a question is not an absolute URL', { cause });
  }
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new ArgumentError('the url of a question has to be one of https: or http:');
  if (page.username !== '' || page.password !== '')
    throw new ArgumentError('the url of a question must not carry credentials');
}
