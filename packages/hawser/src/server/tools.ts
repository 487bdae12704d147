import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { errorCodes } from '../model/meta.ts';
import type {
  CacheHints,
  CallToolResult,
  Icon,
  Implementation,
  Revision,
  Tool,
  ToolAnnotations,
} from '../model/types.ts';
import type { Call, Exchange, Reply, Validator } from '../ports/index.ts';
import { checkerFor, explain, isObjectSchema, type Checker } from '../schema/checker.ts';
import type { AnySchema, Infer } from '../schema/standard.ts';
import { checkMirror, readMirror, wireOf, type MirroredParam } from '../wire/index.ts';
import { CallContext, type ToolContext } from './context.ts';
import { failed, toResult, type ToolReturn } from './tool-result.ts';

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
  _meta?: JsonObject;
}

/** Runs a tool. A thrown error is the tool's failure: its message goes to the model. */
export type ToolHandler<Input extends AnySchema> = (
  args: Infer<Input>,
  ctx: ToolContext,
) => ToolReturn | Promise<ToolReturn>;

interface Entry {
  readonly tool: Tool;
  readonly input: Checker | undefined;
  readonly output: Checker | undefined;
  readonly mirror: readonly MirroredParam[];
  readonly handler: ToolHandler<AnySchema>;
}

const noArguments: JsonObject = { type: 'object', additionalProperties: false };

/** The tools of a server. Each registration makes a new snapshot; a call keeps the one it began with. */
export class Tools {
  readonly #validator: Validator;
  readonly #logger: Logger;
  #entries: ReadonlyMap<string, Entry> = new Map();
  /** The list as JSON text per revision: it is asked for far more often than it changes. */
  #lists = new Map<Revision, Reply>();

  constructor(validator: Validator, logger: Logger) {
    this.#validator = validator;
    this.#logger = logger;
  }

  /** @throws ArgumentError when the name or a schema is unusable */
  add<Input extends AnySchema, Output extends AnySchema>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<Input>,
  ): void {
    const entry = this.#compile(name, definition, handler);
    this.#swap(new Map(this.#entries).set(name, entry));
  }

  remove(name: string): boolean {
    const entries = new Map(this.#entries);
    const known = entries.delete(name);
    if (known) this.#swap(entries);
    return known;
  }

  #swap(entries: ReadonlyMap<string, Entry>): void {
    this.#entries = entries;
    this.#lists = new Map();
  }

  #compile(name: string, definition: ToolDefinition<AnySchema>, handler: ToolHandler<AnySchema>): Entry {
    if (typeof name !== 'string' || name === '') throw new ArgumentError('a tool needs a name');
    if (typeof handler !== 'function') throw new ArgumentError(`tool "${name}" needs a handler`);
    if (this.#entries.has(name)) throw new ArgumentError(`there is a tool "${name}" already: remove it first`);
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
      this.#logger.warn(`tool "${name}": names of 1 to 128 of A-Z a-z 0-9 _ . - work everywhere, others may not`);
    }
    const { input, output, title, description, icons, annotations, _meta } = definition;
    const inputChecker = input === undefined ? undefined : checkerFor(input, 'input', this.#validator);
    const outputChecker = output === undefined ? undefined : checkerFor(output, 'output', this.#validator);
    const inputSchema = inputChecker?.jsonSchema ?? noArguments;
    if (!isObjectSchema(inputSchema))
      throw new ArgumentError(`tool "${name}": input must be a schema of an object (type: "object")`);
    const { params, problems } = readMirror(inputSchema);
    if (problems.length > 0) throw new ArgumentError(`tool "${name}": ${problems.join('; ')}`);
    const tool: Tool = {
      name,
      inputSchema,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(icons !== undefined && { icons }),
      ...(outputChecker !== undefined && { outputSchema: outputChecker.jsonSchema }),
      ...(annotations !== undefined && { annotations }),
      ...(_meta !== undefined && { _meta }),
    };
    return { tool, input: inputChecker, output: outputChecker, mirror: params, handler };
  }

  list(call: Call, exchange: Exchange, hints: CacheHints, server: Implementation): Reply {
    // Everything fits on one page, so no cursor of ours is out there.
    if (call.params?.['cursor'] !== undefined) return invalid('the cursor is not one of this server');
    const { revision } = exchange.caller;
    let reply = this.#lists.get(revision);
    if (reply === undefined) {
      const tools = Array.from(this.#entries.values(), (entry) => entry.tool);
      const result = wireOf(revision).lower.toolsPage({ tools }, hints, server);
      reply = { result, json: JSON.stringify(result) };
      this.#lists.set(revision, reply);
    }
    return reply;
  }

  async call(call: Call, exchange: Exchange, server: Implementation): Promise<Reply> {
    const { facts, lower } = wireOf(exchange.caller.revision);
    const name = call.params?.['name'];
    if (typeof name !== 'string') return invalid('params.name must be a string');
    const entry = this.#entries.get(name);
    if (entry === undefined) return invalid(`unknown tool: ${name.slice(0, 128)}`);
    const args = call.params?.['arguments'] ?? {};
    if (!isObject(args)) return invalid('params.arguments must be an object');
    const header = exchange.caller.header;
    if (header !== undefined && facts.era === 'modern' && entry.mirror.length > 0) {
      const problem = checkMirror(entry.mirror, args, header);
      if (problem !== undefined) return { error: { code: errorCodes.headerMismatch, message: problem }, status: 400 };
    }
    let value: unknown = args;
    if (entry.input !== undefined) {
      const checking = entry.input.check(args);
      const checked = checking instanceof Promise ? await checking : checking;
      if (checked.errors !== undefined) {
        const text = `invalid arguments: ${explain(checked.errors)}`;
        return facts.inputErrors === 'error' ? invalid(text) : { result: lower.callToolResult(failed(text), server) };
      }
      value = checked.value;
    }
    const context = new CallContext(call, exchange);
    const result = await this.#run(entry, value as JsonObject, context);
    context.finish();
    return typeof result === 'string' ? this.#fault(entry, result) : { result: lower.callToolResult(result, server) };
  }

  /** The result, or what is wrong with what the handler gave back: our side's fault, not the caller's. */
  async #run(entry: Entry, args: JsonObject, context: CallContext): Promise<CallToolResult | string> {
    let result: CallToolResult | string;
    try {
      result = toResult(await entry.handler(args, context));
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
    if (typeof result === 'string' || entry.output === undefined || result.isError === true) return result;
    if (!('structuredContent' in result))
      return 'the tool has an output schema, but the result has no structured content';
    const checking = entry.output.check(result.structuredContent);
    const checked = checking instanceof Promise ? await checking : checking;
    return checked.errors === undefined
      ? result
      : `the result does not match the output schema: ${explain(checked.errors)}`;
  }

  #fault(entry: Entry, problem: string): Reply {
    this.#logger.error(`tool "${entry.tool.name}": ${problem}`);
    return { error: { code: errorCodes.internal, message: `tool "${entry.tool.name}" gave an invalid result` } };
  }
}

function invalid(message: string): Reply {
  return { error: { code: errorCodes.invalidParams, message } };
}
