// The wire types of MCP 2026-07-28. The files of types/ hold what differs from 2025-11-25, by the chapters of the
// specification; types that did not change, nor anything inside them, are handed on. Each request stands for itself:
// the handshake, ping, `resources/subscribe`, `logging/setLevel` and tasks are gone, and what a server asks of a
// client travels inside results.

// Base
export type {
  CacheableResult,
  EmptyResult,
  JSONArray,
  JSONObject,
  JSONRPCMessage,
  JSONRPCResponse,
  JSONRPCResultResponse,
  JSONValue,
  MetaObject,
  NotificationMetaObject,
  NotificationParams,
  PaginatedRequest,
  PaginatedRequestParams,
  PaginatedResult,
  RequestMetaObject,
  RequestParams,
  Result,
  ResultMetaObject,
  ResultType,
} from './types/base.ts';
export type {
  Annotations,
  BaseMetadata,
  Cursor,
  Error,
  Icon,
  Icons,
  Implementation,
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  Notification,
  ProgressToken,
  Request,
  RequestId,
  Role,
} from '../2025-11-25/types.ts';

// Errors
export type {
  HeaderMismatchError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  MethodNotFoundError,
  MissingRequiredClientCapabilityError,
  ParseError,
  UnsupportedProtocolVersionError,
} from './types/errors.ts';

// Discovery and capabilities
export type {
  ClientCapabilities,
  DiscoverRequest,
  DiscoverResult,
  DiscoverResultResponse,
  ServerCapabilities,
} from './types/discovery.ts';

// Cancellation, progress, multi round-trip requests
export type {
  CancelledNotification,
  CancelledNotificationParams,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponse,
  InputResponseRequestParams,
  InputResponses,
  ProgressNotification,
  ProgressNotificationParams,
} from './types/patterns.ts';

// Subscriptions
export type {
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequest,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
  SubscriptionsListenResultMetaObject,
  SubscriptionsListenResultResponse,
} from './types/subscriptions.ts';

// Content and tools
export type {
  CallToolRequest,
  CallToolRequestParams,
  CallToolResult,
  CallToolResultResponse,
  ListToolsRequest,
  ListToolsResult,
  ListToolsResultResponse,
  Tool,
  ToolListChangedNotification,
} from './types/tools.ts';
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  ToolAnnotations,
} from '../2025-11-25/types.ts';

// Resources
export type {
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListResourceTemplatesResultResponse,
  ListResourcesRequest,
  ListResourcesResult,
  ListResourcesResultResponse,
  ReadResourceRequest,
  ReadResourceRequestParams,
  ReadResourceResult,
  ReadResourceResultResponse,
  ResourceListChangedNotification,
  ResourceRequestParams,
  ResourceUpdatedNotification,
  ResourceUpdatedNotificationParams,
} from './types/resources.ts';
export type {
  BlobResourceContents,
  Resource,
  ResourceContents,
  ResourceTemplate,
  TextResourceContents,
} from '../2025-11-25/types.ts';

// Prompts
export type {
  GetPromptRequest,
  GetPromptRequestParams,
  GetPromptResult,
  GetPromptResultResponse,
  ListPromptsRequest,
  ListPromptsResult,
  ListPromptsResultResponse,
  PromptListChangedNotification,
} from './types/prompts.ts';
export type { Prompt, PromptArgument, PromptMessage } from '../2025-11-25/types.ts';

// Utilities of servers
export type {
  CompleteRequest,
  CompleteRequestParams,
  CompleteResult,
  CompleteResultResponse,
  LoggingMessageNotification,
  LoggingMessageNotificationParams,
} from './types/server-utilities.ts';
export type { PromptReference, ResourceTemplateReference, LoggingLevel } from '../2025-11-25/types.ts';

// Sampling
export type {
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
  SamplingMessageContentBlock,
  ToolResultContent,
} from './types/sampling.ts';
export type { ModelHint, ModelPreferences, ToolChoice, ToolUseContent } from '../2025-11-25/types.ts';

// Roots
export type { ListRootsRequest, ListRootsResult } from './types/roots.ts';
export type { Root } from '../2025-11-25/types.ts';

// Elicitation
export type {
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
} from './types/elicitation.ts';
export type {
  BooleanSchema,
  EnumSchema,
  LegacyTitledEnumSchema,
  MultiSelectEnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  SingleSelectEnumSchema,
  StringSchema,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from '../2025-11-25/types.ts';

// Who may send what
export type {
  ClientNotification,
  ClientRequest,
  ClientResult,
  ServerNotification,
  ServerResult,
} from './types/messages.ts';
