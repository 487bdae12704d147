import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { Prompt, PromptArgument } from '../model/prompts.ts';
import type { Icon, JsonSchema } from '../model/types.ts';
import type { Call, Exchange, Reply } from '../ports/index.ts';
import { checkerFor, explain, isObjectSchema, type Checker } from '../schema/checker.ts';
import type { AnySchema, Infer } from '../schema/standard.ts';
import { wireOf } from '../wire/index.ts';
import { checkedCompleters, type Completer, type Completers } from './completion.ts';
import type { Context } from './context.ts';
import { checkParts, copied, failure, fault, invalidParams, named, noArguments, type Running } from './definitions.ts';
import { toPromptResult, type PromptReturn } from './prompt-result.ts';
import { Registry } from './registry.ts';
import type { InputRequired } from './rounds/input-required.ts';

/** How a prompt is described to callers. */
export interface PromptDefinition<Input extends AnySchema = JsonObject> {
  /** Name for display. */
  title?: string;
  /** What the prompt is for. */
  description?: string;
  icons?: Icon[];
  /**
   * Arguments: a Standard Schema with Standard JSON Schema (zod 4 and others), or plain JSON Schema, of an object whose
   * members are text. Titles and descriptions of its members are shown. Default: no arguments.
   */
  input?: Input;
  /** Suggests values for arguments, by their names. */
  complete?: Readonly<Record<string, Completer>>;
  _meta?: JsonObject;
}

/** Fills in a prompt. A thrown error is not told to the caller. */
export type PromptHandler<Input extends AnySchema> = (
  args: Infer<Input>,
  ctx: Context,
) => PromptReturn | InputRequired | Promise<PromptReturn | InputRequired>;

interface Entry {
  readonly prompt: Prompt;
  readonly input: Checker;
  readonly completers: Completers;
  readonly handler: PromptHandler<AnySchema>;
}

const members = ['title', 'description', 'icons', 'input', 'complete', '_meta'];

const nothing = noArguments('prompt', { type: 'object' });

/** The prompts of a server. */
export class Prompts {
  readonly #server: Running;
  readonly #registry: Registry<Entry>;
  /** How many complete an argument. */
  completing = 0;

  constructor(server: Running) {
    this.#server = server;
    this.#registry = new Registry('prompts', server.pageSize);
  }

  /** Whether there has ever been one. */
  get used(): boolean {
    return this.#registry.used;
  }

  /** @throws ArgumentError when the name is taken or empty, or the definition is unusable */
  add<Input extends AnySchema>(name: string, definition: PromptDefinition<Input>, handler: PromptHandler<Input>): void {
    if (typeof name !== 'string' || name === '') throw new ArgumentError('a prompt needs a name');
    const what = named('prompt', name);
    checkParts(what, definition, handler, members, { name });
    const { title, description, icons, input: schema, complete, _meta } = definition;
    const input =
      schema === undefined ? nothing : checkerFor(schema, 'input', this.#server.validator, `${what}: input`);
    const args = argumentsOf(what, input.jsonSchema);
    const names = args.map((argument) => argument.name);
    const completers = checkedCompleters(what, complete, names);
    const prompt = copied<Prompt>(what, {
      name,
      title,
      description,
      icons,
      arguments: args.length > 0 ? args : undefined,
      _meta,
    });
    // Its arguments are checked by the schema its type comes from.
    this.#registry.add('prompt', name, { prompt, input, completers, handler: handler as PromptHandler<AnySchema> });
    if (completers.size > 0) this.completing++;
  }

  remove(name: string): boolean {
    const entry = this.#registry.remove(name);
    if (entry !== undefined && entry.completers.size > 0) this.completing--;
    return entry !== undefined;
  }

  completers(name: string): Completers | undefined {
    return this.#registry.get(name)?.completers;
  }

  list(call: Call, exchange: Exchange): Reply {
    const { hints, info } = this.#server;
    const { revision } = exchange.caller;
    return this.#registry.list(call, revision, ({ entries, nextCursor }) =>
      wireOf(revision).lower.promptsPage({ entries: entries.map(({ prompt }) => prompt), nextCursor }, hints, info),
    );
  }

  /** Answers `prompts/get` (server/prompts "Getting a Prompt" and "Error Handling"). */
  async get(call: Call, exchange: Exchange): Promise<Reply> {
    const { runner, logger, info } = this.#server;
    const name = call.params?.['name'];
    if (typeof name !== 'string') return invalidParams('params.name must be a string');
    const entry = this.#registry.get(name);
    if (entry === undefined) return invalidParams(`unknown prompt: ${sample(name, 128)}`);
    const args = call.params?.['arguments'] ?? {};
    if (!isObject(args) || !Object.values(args).every((value) => typeof value === 'string'))
      return invalidParams('params.arguments must be an object of strings');
    const checking = entry.input.check(args);
    const checked = checking instanceof Promise ? await checking : checking;
    if (checked.errors !== undefined) return invalidParams(`invalid arguments: ${explain(checked.errors)}`);
    const ran = await runner.run(call, exchange, { name, args }, (context) => entry.handler(checked.value, context));
    if ('reply' in ran) return ran.reply;
    const what = named('prompt', name);
    if ('thrown' in ran) return failure(logger, what, ran.thrown);
    const result = toPromptResult(ran.value, entry.prompt.description);
    if (typeof result === 'string') return fault(logger, what, result);
    return { result: wireOf(exchange.caller.revision).lower.promptResult(result, info) };
  }
}

/** @throws ArgumentError when it is not a schema of an object of text */
function argumentsOf(what: string, schema: JsonSchema): PromptArgument[] {
  if (!isObjectSchema(schema)) throw new ArgumentError(`${what}: input must be a schema of an object (type: "object")`);
  const { properties, required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? (required as unknown[]) : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const { type, title, description } = isObject(property) ? property : {};
    if (type !== undefined && type !== 'string' && !(Array.isArray(type) && type.includes('string'))) {
      const problem = `arguments of prompts arrive as text, and "${name}" is to be ${JSON.stringify(type)}`;
      throw new ArgumentError(`${what}: ${problem}: take text and make that of it, as by z.string().transform(Number)`);
    }
    return {
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(needed.includes(name) && { required: true }),
    };
  });
}
