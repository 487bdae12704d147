// The wire types of MCP 2024-11-05, under the names of its JSON Schema and by the chapters of its specification.
// Objects are open on the wire: a type names what this revision knows, an index signature stands only where the
// revision itself says that members are free.

import type { JsonObject } from '../../base/json.ts';

// ---- Base: JSON-RPC messages --------------------------------------------------------------------------------------

/** The id of a request; `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** Chosen by the requester, handed back in each progress notice. */
export type ProgressToken = string | number;

/** Where the next page begins; only the server can read it. */
export type Cursor = string;

/** Who speaks in a conversation with a model. */
export type Role = 'user' | 'assistant';

/** What all requests have in common, before JSON-RPC adds its envelope. */
export interface Request {
  method: string;
  params?: { _meta?: RequestMeta; [key: string]: unknown };
}

interface RequestMeta {
  /** Present if the requester wants progress notices. */
  progressToken?: ProgressToken;
  [key: string]: unknown;
}

export interface Notification {
  method: string;
  params?: { _meta?: JsonObject; [key: string]: unknown };
}

interface Meta {
  _meta?: JsonObject;
}

/** What all results have in common; a result of unknown kind. */
export interface Result extends Meta {
  [key: string]: unknown;
}

/** The answer to a request that has nothing to say but "done". */
export type EmptyResult = Result;

export interface JSONRPCRequest extends Request {
  jsonrpc: '2.0';
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: '2.0';
}

export interface JSONRPCResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: Result;
}

export interface JSONRPCError {
  jsonrpc: '2.0';
  id: RequestId;
  error: { code: number; message: string; data?: unknown };
}

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;

/** A request for one page of a list; without a cursor, the first. */
export interface PaginatedRequest {
  method: string;
  params?: { cursor?: Cursor };
}

/** One page of a list; without `nextCursor`, the last. */
export interface PaginatedResult extends Meta {
  nextCursor?: Cursor;
}

/** For whom a thing is meant, and how much it matters (0 to 1). */
export interface Annotated {
  annotations?: { audience?: Role[]; priority?: number };
}

// ---- Lifecycle ----------------------------------------------------------------------------------------------------

export interface Implementation {
  name: string;
  version: string;
}

export interface ClientCapabilities {
  experimental?: { [name: string]: JsonObject };
  roots?: { listChanged?: boolean };
  sampling?: JsonObject;
}

export interface ServerCapabilities {
  experimental?: { [name: string]: JsonObject };
  logging?: JsonObject;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
}

export interface InitializeRequest {
  method: 'initialize';
  params: {
    /** The newest revision that the client speaks. */
    protocolVersion: string;
    capabilities: ClientCapabilities;
    clientInfo: Implementation;
  };
}

export interface InitializeResult extends Meta {
  /** The revision that the server chose; a client that does not speak it must leave. */
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
  /** How to use the server, in words for a model. */
  instructions?: string;
}

export interface InitializedNotification extends Notification {
  method: 'notifications/initialized';
}

// ---- Utilities: ping, cancellation, progress ----------------------------------------------------------------------

export interface PingRequest extends Request {
  method: 'ping';
}

export interface CancelledNotification {
  method: 'notifications/cancelled';
  params: { requestId: RequestId; reason?: string };
}

export interface ProgressNotification {
  method: 'notifications/progress';
  params: { progressToken: ProgressToken; progress: number; total?: number };
}

// ---- Content ------------------------------------------------------------------------------------------------------

export interface TextContent extends Annotated {
  type: 'text';
  text: string;
}

/** `data` is base64. */
export interface ImageContent extends Annotated {
  type: 'image';
  data: string;
  mimeType: string;
}

/** A resource whose contents travel inside the message. */
export interface EmbeddedResource extends Annotated {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
}

// ---- Tools --------------------------------------------------------------------------------------------------------

export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  inputSchema: { type: 'object'; properties?: { [name: string]: JsonObject }; required?: string[] };
}

export interface ListToolsRequest extends PaginatedRequest {
  method: 'tools/list';
}

export interface ListToolsResult extends PaginatedResult {
  tools: Tool[];
}

export interface CallToolRequest {
  method: 'tools/call';
  params: { name: string; arguments?: JsonObject };
}

export interface CallToolResult extends Meta {
  content: (TextContent | ImageContent | EmbeddedResource)[];
  /** The tool failed; the protocol did not. */
  isError?: boolean;
}

export interface ToolListChangedNotification extends Notification {
  method: 'notifications/tools/list_changed';
}

// ---- Resources ----------------------------------------------------------------------------------------------------

export interface Resource extends Annotated {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Bytes, before any base64. */
  size?: number;
}

export interface ResourceTemplate extends Annotated {
  /** An RFC 6570 template. */
  uriTemplate: string;
  name: string;
  description?: string;
  mimeType?: string;
}

export interface ResourceContents {
  uri: string;
  mimeType?: string;
}

export interface TextResourceContents extends ResourceContents {
  text: string;
}

/** `blob` is base64. */
export interface BlobResourceContents extends ResourceContents {
  blob: string;
}

export interface ListResourcesRequest extends PaginatedRequest {
  method: 'resources/list';
}

export interface ListResourcesResult extends PaginatedResult {
  resources: Resource[];
}

export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: 'resources/templates/list';
}

export interface ListResourceTemplatesResult extends PaginatedResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ReadResourceRequest {
  method: 'resources/read';
  params: { uri: string };
}

/** A folder may read as several contents. */
export interface ReadResourceResult extends Meta {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface SubscribeRequest {
  method: 'resources/subscribe';
  params: { uri: string };
}

export interface UnsubscribeRequest {
  method: 'resources/unsubscribe';
  params: { uri: string };
}

export interface ResourceListChangedNotification extends Notification {
  method: 'notifications/resources/list_changed';
}

/** `uri` may be of a part of the resource that was subscribed to. */
export interface ResourceUpdatedNotification {
  method: 'notifications/resources/updated';
  params: { uri: string };
}

// ---- Prompts ------------------------------------------------------------------------------------------------------

export interface PromptArgument {
  name: string;
  description?: string;
  required?: boolean;
}

export interface Prompt {
  name: string;
  description?: string;
  arguments?: PromptArgument[];
}

export interface PromptMessage {
  role: Role;
  content: TextContent | ImageContent | EmbeddedResource;
}

export interface ListPromptsRequest extends PaginatedRequest {
  method: 'prompts/list';
}

export interface ListPromptsResult extends PaginatedResult {
  prompts: Prompt[];
}

export interface GetPromptRequest {
  method: 'prompts/get';
  params: { name: string; arguments?: { [name: string]: string } };
}

export interface GetPromptResult extends Meta {
  description?: string;
  messages: PromptMessage[];
}

export interface PromptListChangedNotification extends Notification {
  method: 'notifications/prompts/list_changed';
}

// ---- Completion ---------------------------------------------------------------------------------------------------

export interface PromptReference {
  type: 'ref/prompt';
  name: string;
}

/** `uri` may be a template. */
export interface ResourceReference {
  type: 'ref/resource';
  uri: string;
}

export interface CompleteRequest {
  method: 'completion/complete';
  params: {
    ref: PromptReference | ResourceReference;
    /** The argument being typed, and its text so far. */
    argument: { name: string; value: string };
  };
}

export interface CompleteResult extends Meta {
  /** At most 100 values; `total` may be more. */
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

// ---- Logging ------------------------------------------------------------------------------------------------------

/** Severity, ascending (RFC 5424). */
export type LoggingLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Asks for messages of this level and above. */
export interface SetLevelRequest {
  method: 'logging/setLevel';
  params: { level: LoggingLevel };
}

export interface LoggingMessageNotification {
  method: 'notifications/message';
  params: { level: LoggingLevel; logger?: string; data: unknown };
}

// ---- Sampling -----------------------------------------------------------------------------------------------------

export interface SamplingMessage {
  role: Role;
  content: TextContent | ImageContent;
}

/** A name, or a part of one, of a model the server would like. */
export interface ModelHint {
  name?: string;
}

/** What matters in the choice of a model, each from 0 to 1; earlier hints weigh more. */
export interface ModelPreferences {
  hints?: ModelHint[];
  costPriority?: number;
  speedPriority?: number;
  intelligencePriority?: number;
}

export interface CreateMessageRequest {
  method: 'sampling/createMessage';
  params: {
    messages: SamplingMessage[];
    modelPreferences?: ModelPreferences;
    systemPrompt?: string;
    /** Whose context the client should add to the prompt. */
    includeContext?: 'none' | 'thisServer' | 'allServers';
    temperature?: number;
    maxTokens: number;
    stopSequences?: string[];
    /** Handed to the provider as it is. */
    metadata?: JsonObject;
  };
}

export interface CreateMessageResult extends SamplingMessage, Meta {
  model: string;
  stopReason?: string;
}

// ---- Roots --------------------------------------------------------------------------------------------------------

/** A place the server may work in; `uri` is a `file:` address. */
export interface Root {
  uri: string;
  name?: string;
}

export interface ListRootsRequest extends Request {
  method: 'roots/list';
}

export interface ListRootsResult extends Meta {
  roots: Root[];
}

export interface RootsListChangedNotification extends Notification {
  method: 'notifications/roots/list_changed';
}

// ---- Who may send what --------------------------------------------------------------------------------------------

export type ClientRequest =
  | InitializeRequest
  | PingRequest
  | ListToolsRequest
  | CallToolRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | ListPromptsRequest
  | GetPromptRequest
  | CompleteRequest
  | SetLevelRequest;

export type ClientNotification =
  | InitializedNotification
  | CancelledNotification
  | ProgressNotification
  | RootsListChangedNotification;

export type ClientResult = EmptyResult | CreateMessageResult | ListRootsResult;

export type ServerRequest = PingRequest | CreateMessageRequest | ListRootsRequest;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | ToolListChangedNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | LoggingMessageNotification;

export type ServerResult =
  | EmptyResult
  | InitializeResult
  | ListToolsResult
  | CallToolResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | CompleteResult;
