import type { JsonObject } from '../base/json.ts';
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  InputRequest,
  InputRequiredResult,
  InputResponse,
  ListRootsResult,
} from '../model/inputs.ts';
import type { Completion, GetPromptResult, Prompt } from '../model/prompts.ts';
import type { ReadResourceResult, Resource, ResourceTemplate } from '../model/resources.ts';
import type {
  CacheHints,
  CallToolResult,
  ClientCapabilities,
  ContentBlock,
  Era,
  Implementation,
  Progress,
  ProgressToken,
  RequestId,
  Revision,
  ServerDescription,
  SubscriptionFilter,
  Tool,
} from '../model/types.ts';

/** How a revision differs where it is not a matter of shapes. Nobody compares versions: ask here. */
export interface Facts {
  readonly era: Era;
  /** A message may be an array of messages. */
  readonly batches: boolean;
  /** `MCP-Protocol-Version`: on which HTTP requests the client sends it. */
  readonly versionHeader: 'never' | 'after-initialize' | 'always';
  /** How a client cancels a request over HTTP. */
  readonly httpCancel: 'notification' | 'close';
  /** Arguments that do not fit the tool's schema: a tool error that the model can mend, or a protocol error. */
  readonly inputErrors: 'result' | 'error';
  /** Errors for messages whose id could not be read: with `id: null`, or without an id. */
  readonly nullErrorId: boolean;
  /** Tools have output schemas and results structured content. */
  readonly structured: boolean;
  /** A subscription is a request of its own, its notices carry its id. */
  readonly listens: boolean;
  /** How a server asks: by a request of its own, or by a result that says what is needed. */
  readonly asks: 'request' | 'result';
  /** Which questions for a person there are. */
  readonly elicits: 'nothing' | 'forms' | 'forms-and-urls';
  /** Models may be offered tools in sampling. */
  readonly samplesTools: boolean;
  /** A response stream may begin with an event without data, and be cut by the server to be fetched in pieces. */
  readonly pollsStreams: boolean;
  /** Servers that complete say so in their capabilities. */
  readonly declaresCompletions: boolean;
  /** Completion takes into account what has been filled in already. */
  readonly completesInContext: boolean;
  /** The error code for a resource that is not there. */
  readonly resourceNotFound: number;
  /** Log messages are asked for with each request (else once for the session). */
  readonly logsPerRequest: boolean;
}

/** One page of a list; of a peer's page also what is wrong with the entries left out, a sentence each. */
export interface Page<Entry> {
  entries: Entry[];
  nextCursor?: string | undefined;
  problems?: readonly string[] | undefined;
}

/** What a client says of itself with each modern request. */
export interface ClientSelf {
  info: Implementation | undefined;
  capabilities: ClientCapabilities;
}

/** Model to wire. Results are ready for `JSON.stringify`; members that are `undefined` are not sent. */
export interface Lower {
  /** The `_meta` of every request, without what belongs to one request only. Undefined: none is needed. */
  requestMeta(self: ClientSelf): JsonObject | undefined;
  /** A tool as this revision knows it. */
  tool(tool: Tool): JsonObject;
  toolsPage(page: Page<Tool>, hints: CacheHints, server: Implementation): JsonObject;
  /** A content block, as text if the revision does not know its type. */
  content(block: ContentBlock): ContentBlock;
  callToolResult(result: CallToolResult, server: Implementation): JsonObject;
  /** The result of `initialize` (legacy) or `server/discover` (modern). */
  description(
    description: ServerDescription & { serverInfo: Implementation },
    versions: readonly Revision[],
    hints: CacheHints,
  ): JsonObject;
  emptyResult(server: Implementation): JsonObject;
  resource(resource: Resource): JsonObject;
  resourcesPage(page: Page<Resource>, hints: CacheHints, server: Implementation): JsonObject;
  template(template: ResourceTemplate): JsonObject;
  templatesPage(page: Page<ResourceTemplate>, hints: CacheHints, server: Implementation): JsonObject;
  readResult(result: ReadResourceResult, hints: CacheHints, server: Implementation): JsonObject;
  prompt(prompt: Prompt): JsonObject;
  promptsPage(page: Page<Prompt>, hints: CacheHints, server: Implementation): JsonObject;
  promptResult(result: GetPromptResult, server: Implementation): JsonObject;
  completion(completion: Completion, server: Implementation): JsonObject;
  /** Params of a request that asks for input, from server to client; undefined: the revision does not know it. */
  inputRequest(request: InputRequest): JsonObject | undefined;
  /** The result that asks for input; only where `facts.asks` is `result`. */
  inputRequired(result: InputRequiredResult, server: Implementation): JsonObject;
  /** A client's answer to a request for input. */
  inputResponse(response: InputResponse): JsonObject;
  /** What a client declares, as this revision knows it. */
  clientCapabilities(capabilities: ClientCapabilities): JsonObject;
  progress(token: ProgressToken, progress: Progress): JsonObject;
  /** Params of a notice that a subscription brings; `undefined` params are allowed by all revisions. */
  subscribed(params: JsonObject | undefined, subscription: RequestId): JsonObject | undefined;
}

/** What a server said of itself, and which revisions it speaks. */
export interface Described extends ServerDescription {
  versions: readonly string[];
}

/** Wire to model: a checked value, or an `InvalidResponseError`. Members we do not know are kept. */
export interface Lift {
  /** Checks that a result is final and not of a kind this client did not ask for. */
  complete(result: JsonObject): JsonObject;
  description(result: JsonObject): Described;
  toolsPage(result: JsonObject): Page<Tool>;
  callToolResult(result: JsonObject): CallToolResult;
  resourcesPage(result: JsonObject): Page<Resource>;
  templatesPage(result: JsonObject): Page<ResourceTemplate>;
  readResult(result: JsonObject): ReadResourceResult;
  promptsPage(result: JsonObject): Page<Prompt>;
  promptResult(result: JsonObject): GetPromptResult;
  completion(result: JsonObject): Completion;
  /**
   * The input a result asks for instead of being final; undefined when it is final, or of a revision without such
   * results, or of a method that has none. Both members are as they came.
   */
  inputRequired(method: string, result: JsonObject): { inputRequests?: unknown; requestState?: unknown } | undefined;
  elicitParams(params: JsonObject | undefined): ElicitParams;
  createMessageParams(params: JsonObject | undefined): CreateMessageParams;
  elicitResult(result: unknown): ElicitResult;
  createMessageResult(result: unknown): CreateMessageResult;
  rootsResult(result: unknown): ListRootsResult;
}

/** All that is particular to one revision. */
export interface Wire {
  readonly revision: Revision;
  readonly facts: Facts;
  /** Whether the revision has this request, from client to server. */
  has(method: string): boolean;
  /** Whether a server may need this of a client, by a request or an input request. */
  asks(method: string): boolean;
  /** The parameter of `method` that HTTP requests repeat in `Mcp-Name`; undefined for most methods. */
  nameParam(method: string): string | undefined;
  readonly lower: Lower;
  readonly lift: Lift;
}

/** What a listener may ask for, as the filter of `subscriptions/listen`. */
export const filterNames = [
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
] as const satisfies readonly (keyof SubscriptionFilter)[];
