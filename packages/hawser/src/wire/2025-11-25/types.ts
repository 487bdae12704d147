// The wire types of MCP 2025-11-25. The files of types/ hold what differs from 2025-06-18, by the chapters of the
// specification; types that did not change, nor anything inside them, are handed on. Requests and notifications hold
// their JSON-RPC envelope, and what was inside `params` has names of its own.

// Base
export type {
  Error,
  Icon,
  Icons,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  Notification,
  NotificationParams,
  PaginatedRequest,
  PaginatedRequestParams,
  Request,
  RequestParams,
} from './types/base.ts';
export type {
  Annotations,
  BaseMetadata,
  Cursor,
  EmptyResult,
  PaginatedResult,
  ProgressToken,
  RequestId,
  Result,
  Role,
} from '../2025-06-18/types.ts';

// Lifecycle
export type {
  ClientCapabilities,
  Implementation,
  InitializeRequest,
  InitializeRequestParams,
  InitializeResult,
  InitializedNotification,
  ServerCapabilities,
} from './types/lifecycle.ts';

// Utilities of both sides
export type {
  CancelledNotification,
  CancelledNotificationParams,
  PingRequest,
  ProgressNotification,
  ProgressNotificationParams,
} from './types/utilities.ts';

// Tasks
export type {
  CancelTaskRequest,
  CancelTaskResult,
  CreateTaskResult,
  GetTaskPayloadRequest,
  GetTaskPayloadResult,
  GetTaskRequest,
  GetTaskResult,
  ListTasksRequest,
  ListTasksResult,
  RelatedTaskMetadata,
  Task,
  TaskAugmentedRequestParams,
  TaskMetadata,
  TaskStatus,
  TaskStatusNotification,
  TaskStatusNotificationParams,
} from './types/tasks.ts';

// Content and tools
export type {
  CallToolRequest,
  CallToolRequestParams,
  CallToolResult,
  ContentBlock,
  ListToolsRequest,
  ListToolsResult,
  ResourceLink,
  Tool,
  ToolExecution,
  ToolListChangedNotification,
} from './types/tools.ts';
export type {
  AudioContent,
  EmbeddedResource,
  ImageContent,
  TextContent,
  ToolAnnotations,
} from '../2025-06-18/types.ts';

// Resources
export type {
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListResourcesRequest,
  ListResourcesResult,
  ReadResourceRequest,
  ReadResourceRequestParams,
  Resource,
  ResourceListChangedNotification,
  ResourceRequestParams,
  ResourceTemplate,
  ResourceUpdatedNotification,
  ResourceUpdatedNotificationParams,
  SubscribeRequest,
  SubscribeRequestParams,
  UnsubscribeRequest,
  UnsubscribeRequestParams,
} from './types/resources.ts';
export type {
  BlobResourceContents,
  ReadResourceResult,
  ResourceContents,
  TextResourceContents,
} from '../2025-06-18/types.ts';

// Prompts
export type {
  GetPromptRequest,
  GetPromptRequestParams,
  GetPromptResult,
  ListPromptsRequest,
  ListPromptsResult,
  Prompt,
  PromptListChangedNotification,
  PromptMessage,
} from './types/prompts.ts';
export type { PromptArgument } from '../2025-06-18/types.ts';

// Utilities of servers
export type {
  CompleteRequest,
  CompleteRequestParams,
  LoggingMessageNotification,
  LoggingMessageNotificationParams,
  SetLevelRequest,
  SetLevelRequestParams,
} from './types/server-utilities.ts';
export type { CompleteResult, PromptReference, ResourceTemplateReference, LoggingLevel } from '../2025-06-18/types.ts';

// Sampling
export type {
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
  SamplingMessageContentBlock,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
} from './types/sampling.ts';
export type { ModelHint, ModelPreferences } from '../2025-06-18/types.ts';

// Roots
export type { ListRootsRequest, RootsListChangedNotification } from './types/roots.ts';
export type { ListRootsResult, Root } from '../2025-06-18/types.ts';

// Elicitation
export type {
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitationCompleteNotification,
  EnumSchema,
  LegacyTitledEnumSchema,
  MultiSelectEnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  SingleSelectEnumSchema,
  StringSchema,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  URLElicitationRequiredError,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from './types/elicitation.ts';
export type { BooleanSchema } from '../2025-06-18/types.ts';

// Who may send what
export type {
  ClientNotification,
  ClientRequest,
  ClientResult,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from './types/messages.ts';
