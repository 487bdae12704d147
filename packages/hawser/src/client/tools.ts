import { ArgumentError, InvalidResponseError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { Tool } from '../model/types.ts';
import type { Validate } from '../ports/index.ts';
import { explain } from '../schema/checker.ts';
import { mirrorArguments, readMirror, type MirroredParam } from '../wire/index.ts';
import type { Connections } from './connections.ts';
import { pagesOf, type ListedPage, type ListKind, type ListOptions } from './lists.ts';
import type { CallOptions, Settings } from './options.ts';
import type { Request } from './lowered.ts';
import type { Answer, Requests } from './requests.ts';
import { ToolResult } from './result.ts';

/** What is known of a tool from the last list. */
interface Snapshot {
  readonly tool: Tool;
  readonly mirror: readonly MirroredParam[];
  /** Made at the first structured result; `null` when the schema cannot be used. */
  validate?: Validate | null;
}

type Snapshots = ReadonlyMap<string, Snapshot>;

export const toolList: ListKind<Tool> = {
  method: 'tools/list',
  feature: 'tools',
  read: (lift, result) => lift.toolsPage(result),
};

/** Listing and calling tools (server/tools). */
export class ClientTools {
  readonly #requests: Requests;
  readonly #connections: Connections;
  readonly #settings: Settings;
  #snapshots: Snapshots = new Map();
  /** Counts the changes of the list. */
  #age = 0;

  constructor(requests: Requests, connections: Connections, settings: Settings) {
    this.#requests = requests;
    this.#connections = connections;
    this.#settings = settings;
  }

  /**
   * The tools, page by page as they are asked for. Tools that cannot be called as described are left out. A list that
   * is read from beginning to end is what is known of the tools from then on, unless it has changed meanwhile.
   *
   * @returns what the whole of it says, changed or not
   */
  async *pages(options: ListOptions): AsyncGenerator<ListedPage<Tool>, Snapshots> {
    const age = this.#age;
    const snapshots = new Map<string, Snapshot>();
    for await (const { entries, connection } of pagesOf(toolList, this.#requests, options, this.#settings)) {
      const modern = connection.wire.facts.era === 'modern';
      const tools = entries.filter((tool) => {
        const mirror = this.#mirrorOf(tool, modern);
        if (mirror !== undefined) snapshots.set(tool.name, { tool, mirror });
        return mirror !== undefined;
      });
      yield { entries: tools, connection };
    }
    if (options.cursor === undefined && age === this.#age) this.#snapshots = snapshots;
    return snapshots;
  }

  /** The parameters a tool wants mirrored; undefined when its annotations are wrong and HTTP could not carry them. */
  #mirrorOf(tool: Tool, modern: boolean): readonly MirroredParam[] | undefined {
    if (!modern || this.#connections.kind !== 'http') return [];
    const { params, problems } = readMirror(tool.inputSchema);
    if (problems.length === 0) return params;
    this.#settings.logger.warn(`tool "${sample(tool.name, 128)}" is left out: ${sample(problems.join('; '), 400)}`);
    return undefined;
  }

  async call(name: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    if (typeof name !== 'string') throw new ArgumentError('callTool: the name must be a string');
    if (!isObject(args)) throw new ArgumentError('callTool: the arguments must be an object');
    const params = callOf(name, args);
    assertRequired(this.#snapshots.get(name)?.tool, params.arguments);
    const { answer, snapshot } = await this.#exchange(params, options, false);
    const { result, connection, reissued, rounds } = answer;
    const { lift, facts } = connection.wire;
    const lifted = lift.callToolResult(result);
    if (facts.structured && lifted.isError !== true && snapshot?.tool.outputSchema !== undefined) {
      if (snapshot.validate === undefined) snapshot.validate = await this.#validateOf(snapshot.tool);
      this.#checkStructured(snapshot, lifted.structuredContent, result);
    }
    return new ToolResult(lifted, result, reissued, rounds);
  }

  /** Sends `tools/call` with its mirrored headers, for its result as it comes. */
  async send(params: JsonObject, options: CallOptions): Promise<Answer> {
    const { answer } = await this.#exchange(params, options, true);
    return answer;
  }

  /**
   * The answer, and what was known of the tool when the answered request went out: later changes do not judge it.
   * After -32020 there is a fresh look at the tool, which has changed since it was listed, or never was.
   */
  async #exchange(
    params: JsonObject,
    options: CallOptions,
    raw: boolean,
  ): Promise<{ answer: Answer; snapshot: Snapshot | undefined }> {
    let snapshot = snapshotOf(params, this.#snapshots);
    let request = this.#request(params, snapshot);
    const mend = async (signal: AbortSignal): Promise<void> => {
      snapshot = snapshotOf(params, await whole(this.pages({ ...options, signal, onProgress: undefined })));
      request = this.#request(params, snapshot);
    };
    const answer = await this.#requests.send(() => request, options, { raw, mend });
    return { answer, snapshot };
  }

  /** @throws ArgumentError when an argument that is to be mirrored cannot stand in a header */
  #request(params: JsonObject, snapshot: Snapshot | undefined): Request {
    const method = 'tools/call';
    const { name, arguments: args } = params;
    if (typeof name !== 'string') return { method, params };
    const mirrored = snapshot?.mirror;
    if (mirrored === undefined || mirrored.length === 0) return { method, params, name };
    const { headers, unfit } = mirrorArguments(mirrored, isObject(args) ? args : {});
    if (unfit !== undefined)
      throw new ArgumentError(
        `tool "${name}": argument ${unfit} cannot be mirrored in a header: give text, a safe integer or a boolean`,
      );
    return { method, params, name, mirror: headers };
  }

  /** Made at the first result: `null` when the schema cannot be used. */
  async #validateOf({ name, outputSchema }: Tool): Promise<Validate | null> {
    if (outputSchema === undefined) return null;
    const { logger, validator } = this.#settings;
    const shown = `tool "${sample(name, 128)}"`;
    try {
      const validate = await validator.compile(outputSchema, { trusted: false });
      const left = validate.notEvaluated ?? [];
      if (left.length > 0)
        logger.warn(
          `${shown}: validation is partial: its output schema uses ${left.join(', ')}, which is not evaluated`,
        );
      return validate;
    } catch (error) {
      logger.warn(`${shown}: its output schema cannot be used`, error);
      return null;
    }
  }

  /** A tool with an output schema has to give what it says, except when it failed (server/tools "Output Schema"). */
  #checkStructured({ tool, validate }: Snapshot, value: unknown, result: JsonObject): void {
    const shown = `tool "${sample(tool.name, 128)}"`;
    if (validate === undefined || validate === null) return;
    if (value === undefined)
      throw new InvalidResponseError(`${shown} has an output schema, but gave no structured content`, { result });
    const errors = validate(value);
    if (errors === undefined) return;
    const problems = sample(explain(errors), 400);
    throw new InvalidResponseError(`${shown}: the structured content does not match the output schema: ${problems}`, {
      result,
    });
  }

  /** Forgets what is known: the list has changed. */
  forget(): void {
    this.#age++;
    this.#snapshots = new Map();
  }
}

function snapshotOf({ name }: JsonObject, snapshots: Snapshots): Snapshot | undefined {
  return typeof name === 'string' ? snapshots.get(name) : undefined;
}

/** Reads a list to its end, for what that gives. */
async function whole<T>(pages: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await pages.next();
    if (done === true) return value;
  }
}

/** `_meta` within the arguments, as some hosts write it, is meant for the request (basic/index "_meta"). */
function callOf(name: string, args: JsonObject): { name: string; arguments: JsonObject; _meta?: JsonObject } {
  if (!Object.hasOwn(args, '_meta')) return { name, arguments: args };
  const { _meta, ...rest } = args;
  if (!isObject(_meta)) throw new ArgumentError('callTool: _meta must be an object');
  return { name, arguments: rest, _meta };
}

/** Whether the arguments are right is for the server to say; what is not there at all need not be sent. */
function assertRequired(tool: Tool | undefined, args: JsonObject): void {
  const required: unknown = tool?.inputSchema['required'];
  if (tool === undefined || !Array.isArray(required)) return;
  const missing = required.filter(
    (key): key is string => typeof key === 'string' && (!Object.hasOwn(args, key) || args[key] === undefined),
  );
  if (missing.length === 0) return;
  const names = sample(missing.slice(0, 20).join(', '), 400);
  throw new ArgumentError(`tool "${sample(tool.name, 128)}" needs arguments that are not there: ${names}`);
}
