export { Client } from '../client/client.ts';
export type { Command, Target } from '../client/connect.ts';
export type { CallOptions, ConnectOptions, Frame, Protocol } from '../client/options.ts';
export { ToolResult } from '../client/result.ts';
export type { ListenOptions, Subscription } from '../client/subscription.ts';
export {
  AbortError,
  ArgumentError,
  CapabilityError,
  ConnectionError,
  HeaderMismatchError,
  HttpStatusError,
  InsufficientScopeError,
  InvalidResponseError,
  McpError,
  MethodNotFoundError,
  MissingRequiredClientCapabilityError,
  RequestTimeoutError,
  ResponseStreamClosedError,
  ResponseTooLargeError,
  RpcError,
  ServerError,
  TransientServerError,
  TransportError,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from '../base/errors.ts';
export type { ErrorDetails, Origin, Outcome, RpcErrorObject } from '../base/errors.ts';
export type { Json, JsonObject } from '../base/json.ts';
export type { Logger } from '../base/logger.ts';
export type { Clock, Timer } from '../base/clock.ts';
export { validateHeaderParams } from '../wire/mirror.ts';
export { revisions } from '../wire/index.ts';
export { fetchPort } from '../transport/fetch.ts';
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
  SchemaError,
  Validate,
  Validator,
  Why,
} from '../ports/index.ts';
