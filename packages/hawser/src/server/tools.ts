import { ArgumentError } from '../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type { CallToolResult, Icon, Tool, ToolAnnotations } from '../model/types.ts';
import type { Call, Exchange, Reply } from '../ports/index.ts';
import { checkerFor, explain, isObjectSchema, type Checked, type Checker } from '../schema/checker.ts';
import type { AnySchema, Given, Infer } from '../schema/standard.ts';
import { checkMirror, readMirror, wireOf, type MirroredParam } from '../wire/index.ts';
import type { Context } from './context.ts';
import { checkParts, copied, invalidParams, named, noArguments, type Running } from './definitions.ts';
import { logFailure } from './failures.ts';
import { Registry } from './registry.ts';
import type { InputRequired } from './rounds/input-required.ts';
import type { Ran } from './run.ts';
import { failed, reasonOf, toResult, withText, type ToolOutput, type ToolReturn } from './tool-result.ts';

/** How a tool is described to callers. */
export interface ToolDefinition<Input extends AnySchema = JsonObject, Output extends AnySchema = AnySchema> {
  /** Name for display. */
  title?: string;
  /** What the tool does, for the model. */
  description?: string;
  icons?: Icon[];
  /** Arguments: a Standard Schema with Standard JSON Schema (zod 4 and others), or plain JSON Schema of an object. */
  input?: Input;
  /** Structured content of results, in the same forms. */
  output?: Output;
  annotations?: ToolAnnotations;
  /** Of the handler: a round trip begun under one version is not finished under another. Not told to callers. */
  version?: string;
  /**
   * A round of the handler is run once, however often it is sent: a repeat gets the same answer. Needs a store shared
   * by all processes that serve the tool (`ServerOptions.store`); the first round, which no state marks, may repeat.
   * A round that was refused before it did anything may be sent again. The caller's cancellation does not reach one
   * that runs.
   */
  once?: boolean;
  _meta?: JsonObject;
}

/**
 * Runs a tool. A thrown error is the tool's failure: its message goes to the model. With an output schema it gives
 * back structured content of that schema, or says `isError`.
 */
export type ToolHandler<Input extends AnySchema, Output extends AnySchema = AnySchema> = (
  args: Infer<Input>,
  ctx: Context,
) => Returned<Output> | Promise<Returned<Output>>;

/** While nothing is known of the output, `Given` says `unknown`: what is then expected helps to infer `new Promise(…)`. */
type Returned<Output> =
  | InputRequired
  | KeepsLiterals
  | (unknown extends Given<Output> ? ToolReturn : ToolOutput<Given<Output>>);

declare const nobodyHasIt: unique symbol;

/**
 * Nothing is of this type. What a handler returns is looked at before the output is known, and only where literals are
 * expected `'C'` stays one and does not become `string`.
 */
interface KeepsLiterals {
  readonly [nobodyHasIt]: true;
  structured?: Literals;
  structuredContent?: Literals;
}

type Literals = '' | 0 | true | Literals[] | { [name: string]: Literals };

interface Entry {
  readonly tool: Tool;
  readonly input: Checker;
  readonly output: Checker | undefined;
  readonly mirror: readonly MirroredParam[];
  readonly version: string | undefined;
  readonly once: boolean;
  readonly handler: ToolHandler<AnySchema>;
}

const shown = ['title', 'description', 'icons', 'input', 'output', 'annotations', '_meta'];
const members = [...shown, 'version', 'once'];

const nothing = noArguments('tool', { type: 'object', additionalProperties: false });

/** The tools of a server. Each registration makes a new snapshot; a call keeps the one it began with. */
export class Tools {
  readonly #server: Running;
  readonly #registry: Registry<Entry>;

  constructor(server: Running) {
    this.#server = server;
    this.#registry = new Registry('tools', server.pageSize);
  }

  /** @throws ArgumentError when the name or a schema is unusable */
  add<Input extends AnySchema, Output extends AnySchema>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<Input, Output>,
  ): void {
    // Its arguments are checked by the schema its type comes from, and so is what it gives back.
    this.#registry.add('tool', name, this.#compile(name, definition, handler as ToolHandler<AnySchema>));
  }

  remove(name: string): boolean {
    return this.#registry.remove(name) !== undefined;
  }

  #compile(name: string, definition: ToolDefinition<AnySchema>, handler: ToolHandler<AnySchema>): Entry {
    if (typeof name !== 'string' || name === '') throw new ArgumentError('a tool needs a name');
    const what = named('tool', name);
    checkParts(what, definition, handler, members, { name });
    const { logger, validator } = this.#server;
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
      logger.warn(`tool "${name}": names of 1 to 128 of A-Z a-z 0-9 _ . - work everywhere, others may not`);
    }
    const { input, output, title, description, icons, annotations, version, once, _meta } = definition;
    if (version !== undefined && typeof version !== 'string')
      throw new ArgumentError(`${what}: version is not a string`);
    const inputChecker = input === undefined ? nothing : checkerFor(input, 'input', validator, `${what}: input`);
    const outputChecker = output === undefined ? undefined : checkerFor(output, 'output', validator, `${what}: output`);
    const inputSchema = inputChecker.jsonSchema;
    if (!isObjectSchema(inputSchema))
      throw new ArgumentError(`${what}: input must be a schema of an object (type: "object")`);
    const { params, problems } = readMirror(inputSchema);
    if (problems.length > 0) throw new ArgumentError(`${what}: ${problems.join('; ')}`);
    const tool = copied<Tool>(what, {
      name,
      inputSchema,
      title,
      description,
      icons,
      outputSchema: outputChecker?.jsonSchema,
      annotations,
      _meta,
    });
    return {
      tool,
      input: inputChecker,
      output: outputChecker,
      mirror: params,
      version,
      once: once === true,
      handler,
    };
  }

  list(call: Call, exchange: Exchange): Reply {
    const { hints, info } = this.#server;
    const { revision } = exchange.caller;
    return this.#registry.list(call, revision, ({ entries, nextCursor }) =>
      wireOf(revision).lower.toolsPage({ entries: entries.map(({ tool }) => tool), nextCursor }, hints, info),
    );
  }

  async call(call: Call, exchange: Exchange): Promise<Reply> {
    const { runner, info } = this.#server;
    const { facts, lower } = wireOf(exchange.caller.revision);
    const name = call.params?.['name'];
    if (typeof name !== 'string') return invalidParams('params.name must be a string');
    const entry = this.#registry.get(name);
    if (entry === undefined) return invalidParams(`unknown tool: ${name.slice(0, 128)}`);
    const args = call.params?.['arguments'] ?? {};
    if (!isObject(args)) return invalidParams('params.arguments must be an object');
    const header = exchange.caller.header;
    if (header !== undefined && facts.era === 'modern' && entry.mirror.length > 0) {
      const problem = checkMirror(entry.mirror, args, header);
      if (problem !== undefined) return { error: { code: errorCodes.headerMismatch, message: problem }, status: 400 };
    }
    const checking = entry.input.check(args);
    const checked = checking instanceof Promise ? await checking : checking;
    if (checked.errors !== undefined) {
      const text = `invalid arguments: ${explain(checked.errors)}`;
      return facts.inputErrors === 'error' ? invalidParams(text) : { result: lower.callToolResult(failed(text), info) };
    }
    const { version, once } = entry;
    const ran = await runner.run(call, exchange, { name, args, version, once }, (context) =>
      entry.handler(checked.value, context),
    );
    if ('reply' in ran) return ran.reply;
    const resulting = this.#result(entry, ran);
    const result = resulting instanceof Promise ? await resulting : resulting;
    if (typeof result === 'string') return this.#fault(entry, result);
    try {
      const lowered = lower.callToolResult(withText(result), info);
      return { result: lowered, json: JSON.stringify(lowered) };
    } catch (error) {
      return this.#fault(entry, 'the result cannot be written as JSON', error);
    }
  }

  /** The result, or what is wrong with what the handler gave back: our side's fault, not the caller's. */
  #result(
    entry: Entry,
    ran: Exclude<Ran, { reply: Reply }>,
  ): CallToolResult | string | Promise<CallToolResult | string> {
    if ('thrown' in ran) {
      logFailure(this.#server.logger, named('tool', entry.tool.name), ran.thrown);
      return failed(reasonOf(ran.thrown));
    }
    const result = toResult(ran.value);
    if (typeof result === 'string' || entry.output === undefined || result.isError === true) return result;
    if (!('structuredContent' in result))
      return 'the tool has an output schema, but the result has no structured content';
    const checking = entry.output.check(result.structuredContent);
    return checking instanceof Promise
      ? checking.then((checked) => structured(result, checked))
      : structured(result, checking);
  }

  #fault(entry: Entry, problem: string, cause?: unknown): Reply {
    this.#server.logger.error(`tool "${entry.tool.name}": ${problem}`, cause);
    const message = `tool "${entry.tool.name}" gave an invalid result: the server's log says why`;
    return { error: { code: errorCodes.internal, message } };
  }
}

/** As the schema's library gives it: callers are told a schema that has its defaults in and unknown members out. */
function structured(result: CallToolResult, checked: Checked): CallToolResult | string {
  if (checked.errors !== undefined) return `the result does not match the output schema: ${explain(checked.errors)}`;
  return { ...result, structuredContent: checked.value as Json };
}
