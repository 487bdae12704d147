import { ArgumentError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { sample, type Logger } from '../../base/logger.ts';
import type { CreateMessageResult } from '../../model/inputs.ts';
import type { Exchange, SchemaError, Validator } from '../../ports/index.ts';
import { checkerFor, type Checker } from '../../schema/checker.ts';
import type { AnySchema } from '../../schema/standard.ts';
import { wireOf } from '../../wire/index.ts';
import { CannotAskError, demand } from './abilities.ts';
import type { AskOptions, Elicited, FormAsk, RootPlace, SampleAsk, UrlAsk } from './asks.ts';
import { formOf, type Form } from './form.ts';
import { placesOf } from './places.ts';
import type { Question, Taken } from './question.ts';
import { conversationProblem, talksOfTools } from './sampling.ts';

/** Makes questions of what handlers write, checked for the caller they are for. */
export class Questions {
  readonly #validator: Validator;
  readonly #logger: Logger;
  /** Forms of schemas that were used before: most are made once and asked often. */
  readonly #forms = new WeakMap<AnySchema, { form: Form; checker: Checker }>();

  constructor(validator: Validator, logger: Logger) {
    this.#validator = validator;
    this.#logger = logger;
  }

  /** @throws ArgumentError when the schema is no form, CapabilityError when the caller takes none */
  form(exchange: Exchange, { message, schema, bound = false }: FormAsk): Question<Elicited<unknown>> {
    demandText(message);
    const { form, checker } = this.#form(schema);
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

  /** @throws ArgumentError when it is no address of a page, CapabilityError when the caller opens none */
  page(exchange: Exchange, { message, url, bound = false }: UrlAsk): Question<Elicited<undefined>> {
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

  #form(schema: AnySchema): { form: Form; checker: Checker } {
    const known = this.#forms.get(schema);
    if (known !== undefined) return known;
    const checker = checkerFor(schema, 'input', this.#validator);
    const made = { form: formOf(checker.jsonSchema), checker };
    if (made.form.secrets.length > 0) {
      const names = made.form.secrets.join(', ');
      this.#logger.warn(
        `a form must not ask for secrets (${names}): the client and its model may read them; ask for a page`,
      );
    }
    this.#forms.set(schema, made);
    return made;
  }
}

async function checked(checker: Checker, content: JsonObject): Promise<Taken<Elicited<unknown>>> {
  const { errors, ...rest } = await checker.check(content);
  if (errors !== undefined) return { again: forAPerson(errors) };
  return { value: { action: 'accept', content: (rest as { value: unknown }).value } };
}

/** What is wrong with a content, by the names of its members: read by whoever fills in the form again. */
function forAPerson(errors: readonly SchemaError[]): string {
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
