import type { JsonObject } from '../base/json.ts';
import type {
  CacheHints,
  CallToolResult,
  ClientCapabilities,
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
}

/** One page of a tool list. */
export interface ToolsPage {
  tools: Tool[];
  nextCursor?: string | undefined;
  /** Of a peer's page: what is wrong with the tools that were left out of it, a sentence each. */
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
  toolsPage(page: ToolsPage, hints: CacheHints, server: Implementation): JsonObject;
  callToolResult(result: CallToolResult, server: Implementation): JsonObject;
  /** The result of `initialize` (legacy) or `server/discover` (modern). */
  description(
    description: ServerDescription & { serverInfo: Implementation },
    versions: readonly Revision[],
    hints: CacheHints,
  ): JsonObject;
  emptyResult(server: Implementation): JsonObject;
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
  toolsPage(result: JsonObject): ToolsPage;
  callToolResult(result: JsonObject): CallToolResult;
}

/** All that is particular to one revision. */
export interface Wire {
  readonly revision: Revision;
  readonly facts: Facts;
  /** Whether the revision has this request, from client to server. */
  has(method: string): boolean;
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
