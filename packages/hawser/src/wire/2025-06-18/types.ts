// The wire types of MCP 2025-06-18: what differs from 2025-03-26, by the chapters of the specification. Types that
// did not change, nor anything inside them, are handed on at the end of their chapter. Batches are gone.

import type { JsonObject } from '../../base/json.ts';
import type * as Elder from '../2025-03-26/types.ts';

// ---- Base: JSON-RPC messages --------------------------------------------------------------------------------------

export type JSONRPCMessage =
  | Elder.JSONRPCRequest
  | Elder.JSONRPCNotification
  | Elder.JSONRPCResponse
  | Elder.JSONRPCError;

interface Meta {
  _meta?: JsonObject;
}

/** What a program calls a thing, and what people call it. */
export interface BaseMetadata {
  name: string;
  title?: string;
}

export interface Annotations extends Elder.Annotations {
  /** ISO 8601. */
  lastModified?: string;
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
} from '../2025-03-26/types.ts';

// ---- Lifecycle ----------------------------------------------------------------------------------------------------

export interface Implementation extends Elder.Implementation, BaseMetadata {}

export interface ClientCapabilities extends Elder.ClientCapabilities {
  elicitation?: JsonObject;
}

export interface InitializeRequest extends Elder.InitializeRequest {
  params: Omit<Elder.InitializeRequest['params'], 'capabilities' | 'clientInfo'> & {
    capabilities: ClientCapabilities;
    clientInfo: Implementation;
  };
}

export interface InitializeResult extends Elder.InitializeResult {
  serverInfo: Implementation;
}

export type { InitializedNotification, ServerCapabilities } from '../2025-03-26/types.ts';

// ---- Utilities: ping, cancellation, progress ----------------------------------------------------------------------

export type { CancelledNotification, PingRequest, ProgressNotification } from '../2025-03-26/types.ts';

// ---- Content ------------------------------------------------------------------------------------------------------

interface Annotated extends Meta {
  annotations?: Annotations;
}

export interface TextContent extends Elder.TextContent, Annotated {
  annotations?: Annotations;
}

export interface ImageContent extends Elder.ImageContent, Annotated {
  annotations?: Annotations;
}

export interface AudioContent extends Elder.AudioContent, Annotated {
  annotations?: Annotations;
}

/** A resource to be read later, with `resources/read`. It need not be in any list. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

export interface EmbeddedResource extends Elder.EmbeddedResource, Annotated {
  annotations?: Annotations;
  resource: TextResourceContents | BlobResourceContents;
}

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

// ---- Tools --------------------------------------------------------------------------------------------------------

export interface Tool extends Elder.Tool, BaseMetadata, Meta {
  /** JSON Schema of `structuredContent`. */
  outputSchema?: Elder.Tool['inputSchema'];
}

export interface ListToolsResult extends Elder.ListToolsResult {
  tools: Tool[];
}

export interface CallToolResult extends Omit<Elder.CallToolResult, 'content'> {
  content: ContentBlock[];
  structuredContent?: JsonObject;
}

export type {
  CallToolRequest,
  ListToolsRequest,
  ToolAnnotations,
  ToolListChangedNotification,
} from '../2025-03-26/types.ts';

// ---- Resources ----------------------------------------------------------------------------------------------------

export interface Resource extends Elder.Resource, BaseMetadata, Annotated {
  annotations?: Annotations;
}

export interface ResourceTemplate extends Elder.ResourceTemplate, BaseMetadata, Annotated {
  annotations?: Annotations;
}

export interface ResourceContents extends Elder.ResourceContents, Meta {}

export interface TextResourceContents extends Elder.TextResourceContents, Meta {}

export interface BlobResourceContents extends Elder.BlobResourceContents, Meta {}

export interface ListResourcesResult extends Elder.ListResourcesResult {
  resources: Resource[];
}

export interface ListResourceTemplatesResult extends Elder.ListResourceTemplatesResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ReadResourceResult extends Elder.ReadResourceResult {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export type {
  ListResourceTemplatesRequest,
  ListResourcesRequest,
  ReadResourceRequest,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  SubscribeRequest,
  UnsubscribeRequest,
} from '../2025-03-26/types.ts';

// ---- Prompts ------------------------------------------------------------------------------------------------------

export interface PromptArgument extends Elder.PromptArgument, BaseMetadata {}

export interface Prompt extends Elder.Prompt, BaseMetadata, Meta {
  arguments?: PromptArgument[];
}

export interface PromptMessage extends Omit<Elder.PromptMessage, 'content'> {
  content: ContentBlock;
}

export interface ListPromptsResult extends Elder.ListPromptsResult {
  prompts: Prompt[];
}

export interface GetPromptResult extends Omit<Elder.GetPromptResult, 'messages'> {
  messages: PromptMessage[];
}

export type { GetPromptRequest, ListPromptsRequest, PromptListChangedNotification } from '../2025-03-26/types.ts';

// ---- Completion ---------------------------------------------------------------------------------------------------

export interface PromptReference extends Elder.PromptReference, BaseMetadata {}

/** The new name of `ResourceReference`. */
export type ResourceTemplateReference = Elder.ResourceReference;

export interface CompleteRequest extends Elder.CompleteRequest {
  params: Omit<Elder.CompleteRequest['params'], 'ref'> & {
    ref: PromptReference | ResourceTemplateReference;
    /** Arguments that were already chosen. */
    context?: { arguments?: { [name: string]: string } };
  };
}

export type { CompleteResult } from '../2025-03-26/types.ts';

// ---- Logging ------------------------------------------------------------------------------------------------------

export type { LoggingLevel, LoggingMessageNotification, SetLevelRequest } from '../2025-03-26/types.ts';

// ---- Sampling -----------------------------------------------------------------------------------------------------

export interface SamplingMessage extends Elder.SamplingMessage {
  content: TextContent | ImageContent | AudioContent;
}

export interface CreateMessageRequest extends Elder.CreateMessageRequest {
  params: Omit<Elder.CreateMessageRequest['params'], 'messages'> & { messages: SamplingMessage[] };
}

export interface CreateMessageResult extends Elder.CreateMessageResult {
  content: SamplingMessage['content'];
}

export type { ModelHint, ModelPreferences } from '../2025-03-26/types.ts';

// ---- Roots --------------------------------------------------------------------------------------------------------

export interface Root extends Elder.Root, Meta {}

export interface ListRootsResult extends Elder.ListRootsResult {
  roots: Root[];
}

export type { ListRootsRequest, RootsListChangedNotification } from '../2025-03-26/types.ts';

// ---- Elicitation --------------------------------------------------------------------------------------------------

export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: 'email' | 'uri' | 'date' | 'date-time';
}

export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
}

export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

/** One of several strings; `enumNames` are their names for people, in the same order. */
export interface EnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
}

/** What one field of a form may be. */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/** Asks a person to fill in a flat form. */
export interface ElicitRequest {
  method: 'elicitation/create';
  params: {
    message: string;
    requestedSchema: {
      type: 'object';
      properties: { [name: string]: PrimitiveSchemaDefinition };
      required?: string[];
    };
  };
}

export interface ElicitResult extends Meta {
  /** Submitted, refused, or dismissed without a choice. */
  action: 'accept' | 'decline' | 'cancel';
  /** Present if accepted. */
  content?: { [name: string]: string | number | boolean };
}

// ---- Who may send what --------------------------------------------------------------------------------------------

export type ClientRequest =
  | Exclude<Elder.ClientRequest, Elder.InitializeRequest | Elder.CompleteRequest>
  | InitializeRequest
  | CompleteRequest;

export type ClientResult = Elder.EmptyResult | CreateMessageResult | ListRootsResult | ElicitResult;

export type ServerRequest =
  | Exclude<Elder.ServerRequest, Elder.CreateMessageRequest>
  | CreateMessageRequest
  | ElicitRequest;

export type ServerResult =
  | Elder.EmptyResult
  | InitializeResult
  | ListToolsResult
  | CallToolResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | Elder.CompleteResult;

export type { ClientNotification, ServerNotification } from '../2025-03-26/types.ts';
