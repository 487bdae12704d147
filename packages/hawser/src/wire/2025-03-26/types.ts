// The wire types of MCP 2025-03-26: what differs from 2024-11-05, by the chapters of the specification. Types that
// did not change, nor anything inside them, are handed on at the end of their chapter.

import type { JsonObject } from '../../base/json.ts';
import type * as Elder from '../2024-11-05/types.ts';

// ---- Base: JSON-RPC messages --------------------------------------------------------------------------------------

/** Only this revision knows batches; `initialize` is never in one. */
export type JSONRPCBatchRequest = (Elder.JSONRPCRequest | Elder.JSONRPCNotification)[];

export type JSONRPCBatchResponse = (Elder.JSONRPCResponse | Elder.JSONRPCError)[];

export type JSONRPCMessage = Elder.JSONRPCMessage | JSONRPCBatchRequest | JSONRPCBatchResponse;

/** For whom a thing is meant, and how much it matters (0 to 1). */
export interface Annotations {
  audience?: Elder.Role[];
  priority?: number;
}

export type {
  Cursor,
  EmptyResult,
  JSONRPCError,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Notification,
  PaginatedRequest,
  PaginatedResult,
  ProgressToken,
  Request,
  RequestId,
  Result,
  Role,
} from '../2024-11-05/types.ts';

// ---- Lifecycle ----------------------------------------------------------------------------------------------------

export interface ServerCapabilities extends Elder.ServerCapabilities {
  completions?: JsonObject;
}

export interface InitializeResult extends Elder.InitializeResult {
  capabilities: ServerCapabilities;
}

export type {
  ClientCapabilities,
  Implementation,
  InitializeRequest,
  InitializedNotification,
} from '../2024-11-05/types.ts';

// ---- Utilities: ping, cancellation, progress ----------------------------------------------------------------------

export interface ProgressNotification extends Elder.ProgressNotification {
  params: Elder.ProgressNotification['params'] & { message?: string };
}

export type { CancelledNotification, PingRequest } from '../2024-11-05/types.ts';

// ---- Content ------------------------------------------------------------------------------------------------------

/** `data` is base64. */
export interface AudioContent {
  type: 'audio';
  data: string;
  mimeType: string;
  annotations?: Annotations;
}

export type { EmbeddedResource, ImageContent, TextContent } from '../2024-11-05/types.ts';

// ---- Tools --------------------------------------------------------------------------------------------------------

/**
 * A tool's own word on its behaviour; not trusted. Defaults: not read-only, destructive, not idempotent, open world.
 */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface Tool extends Elder.Tool {
  annotations?: ToolAnnotations;
}

export interface ListToolsResult extends Elder.ListToolsResult {
  tools: Tool[];
}

export interface CallToolResult extends Omit<Elder.CallToolResult, 'content'> {
  content: (Elder.CallToolResult['content'][number] | AudioContent)[];
}

export type { CallToolRequest, ListToolsRequest, ToolListChangedNotification } from '../2024-11-05/types.ts';

// ---- Resources ----------------------------------------------------------------------------------------------------

export type {
  BlobResourceContents,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListResourcesRequest,
  ListResourcesResult,
  ReadResourceRequest,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceListChangedNotification,
  ResourceTemplate,
  ResourceUpdatedNotification,
  SubscribeRequest,
  TextResourceContents,
  UnsubscribeRequest,
} from '../2024-11-05/types.ts';

// ---- Prompts ------------------------------------------------------------------------------------------------------

export interface PromptMessage extends Omit<Elder.PromptMessage, 'content'> {
  content: Elder.PromptMessage['content'] | AudioContent;
}

export interface GetPromptResult extends Omit<Elder.GetPromptResult, 'messages'> {
  messages: PromptMessage[];
}

export type {
  GetPromptRequest,
  ListPromptsRequest,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptListChangedNotification,
} from '../2024-11-05/types.ts';

// ---- Completion, logging ------------------------------------------------------------------------------------------

export type {
  CompleteRequest,
  CompleteResult,
  LoggingLevel,
  LoggingMessageNotification,
  PromptReference,
  ResourceReference,
  SetLevelRequest,
} from '../2024-11-05/types.ts';

// ---- Sampling -----------------------------------------------------------------------------------------------------

export interface SamplingMessage extends Omit<Elder.SamplingMessage, 'content'> {
  content: Elder.SamplingMessage['content'] | AudioContent;
}

export interface CreateMessageRequest extends Omit<Elder.CreateMessageRequest, 'params'> {
  params: Omit<Elder.CreateMessageRequest['params'], 'messages'> & { messages: SamplingMessage[] };
}

export interface CreateMessageResult extends Omit<Elder.CreateMessageResult, 'content'> {
  content: SamplingMessage['content'];
}

export type { ModelHint, ModelPreferences } from '../2024-11-05/types.ts';

// ---- Roots --------------------------------------------------------------------------------------------------------

export type { ListRootsRequest, ListRootsResult, Root, RootsListChangedNotification } from '../2024-11-05/types.ts';

// ---- Who may send what --------------------------------------------------------------------------------------------

export type ClientNotification = Exclude<Elder.ClientNotification, Elder.ProgressNotification> | ProgressNotification;

export type ClientResult = Exclude<Elder.ClientResult, Elder.CreateMessageResult> | CreateMessageResult;

export type ServerRequest = Exclude<Elder.ServerRequest, Elder.CreateMessageRequest> | CreateMessageRequest;

export type ServerNotification = Exclude<Elder.ServerNotification, Elder.ProgressNotification> | ProgressNotification;

export type ServerResult =
  | Elder.EmptyResult
  | InitializeResult
  | ListToolsResult
  | CallToolResult
  | Elder.ListResourcesResult
  | Elder.ListResourceTemplatesResult
  | Elder.ReadResourceResult
  | Elder.ListPromptsResult
  | GetPromptResult
  | Elder.CompleteResult;

export type { ClientRequest } from '../2024-11-05/types.ts';
