export { Client } from '../client/client.ts';
export type { Command, PipeTarget, Target, UrlTarget } from '../client/connect.ts';
export type { CallOptions, ConnectOptions, Frame, Protocol } from '../client/options.ts';
export type { CompleteOptions } from '../client/completion.ts';
export type {
  AnswerContext,
  ElicitAnswer,
  ElicitHandlers,
  FormHandler,
  FormQuestion,
  UrlHandler,
  UrlQuestion,
} from '../client/elicitation.ts';
export type { RootsSource } from '../client/roots.ts';
export type { SampleContext, SampleHandler, SampleOptions } from '../client/sampling.ts';
export { decodeBase64, ResourceContent } from '../client/content.ts';
export type { ListOptions } from '../client/lists.ts';
export { PromptResult } from '../client/prompts.ts';
export { ReadResult } from '../client/resources.ts';
export { ToolResult } from '../client/result.ts';
export { toolHints, type ToolHints } from '../client/tool-hints.ts';
export type { ListenOptions, Subscription } from '../client/subscription.ts';
export {
  AbortError,
  ArgumentError,
  CapabilityError,
  ConnectionError,
  HeaderMismatchError,
  HttpStatusError,
  InputRequiredError,
  InsufficientScopeError,
  InvalidResponseError,
  McpError,
  MethodNotFoundError,
  MissingRequiredClientCapabilityError,
  RejectedError,
  RequestTimeoutError,
  ResourceNotFoundError,
  ResponseStreamClosedError,
  ResponseTooLargeError,
  RpcError,
  ServerError,
  TransientServerError,
  TransportError,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from '../base/errors.ts';
export type { ErrorCode, ErrorDetails, Origin, Outcome, RpcErrorObject } from '../base/errors.ts';
export type { Json, JsonObject } from '../base/json.ts';
export type { Logger } from '../base/logger.ts';
export type { Clock, Timer } from '../base/clock.ts';
export { ClientGroup } from '../client/group.ts';
export type { GroupCall, GroupCallOptions, GroupOptions } from '../client/group.ts';
export {
  AmbiguousNameError,
  PromptNotFoundError,
  ServerFailedError,
  ServerNotFoundError,
  ToolNotFoundError,
} from '../client/group-errors.ts';
export type { GroupServer, GroupServers, TargetWithOptions } from '../client/group-servers.ts';
export { describeServer, parseConfig, resolveServer } from '../config/index.ts';
export type {
  ConfigInput,
  HttpServerConfig,
  ParseConfigOptions,
  ParsedConfig,
  ResolveOptions,
  ResolvedServer,
  ServerConfig,
  StdioServerConfig,
} from '../config/index.ts';
export { validateHeaderParams } from '../wire/mirror.ts';
export { revisions } from '../wire/index.ts';
export { logLevels } from '../model/log-levels.ts';
export { fetchPort } from '../transport/fetch.ts';
export type {
  CreateMessageParams,
  CreateMessageResult,
  LogMessage,
  ModelPreferences,
  Root,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from '../model/inputs.ts';
export type { Completion, CompletionReference, Prompt, PromptArgument, PromptMessage } from '../model/prompts.ts';
export type { Resource, ResourceTemplate } from '../model/resources.ts';
export type {
  Annotations,
  AudioContent,
  CallToolResult,
  ClientCapabilities,
  ContentBlock,
  EmbeddedResource,
  Era,
  Icon,
  ImageContent,
  Implementation,
  JsonSchema,
  LogLevel,
  Progress,
  ResourceContents,
  ResourceLink,
  Revision,
  ServerCapabilities,
  SubscriptionFilter,
  TextContent,
  Tool,
  ToolAnnotations,
} from '../model/types.ts';
export type {
  Authorizer,
  Call,
  Caller,
  Exchange,
  HttpFlight,
  HttpPort,
  HttpRequest,
  HttpResponse,
  Link,
  Note,
  Open,
  Pipe,
  Reply,
  RequestOptions,
  Service,
  SchemaIssue,
  Validate,
  Validator,
  Why,
} from '../ports/index.ts';
