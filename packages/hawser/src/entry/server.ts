export { Server } from '../server/server.ts';
export type { ServerOptions } from '../server/options.ts';
export type { Context } from '../server/context.ts';
export { ServerSession } from '../server/session.ts';
export type { Session } from '../server/session.ts';
export type { MessageCaller } from '../server/messages.ts';
export type { Send } from '../transport/message-door.ts';
export type { DeclaredCapabilities } from '../server/capabilities.ts';
export type { Changed } from '../server/changes.ts';
export type { OnWatch } from '../server/watches.ts';
export { memoryBus } from '../server/memory-bus.ts';
export { isSuspended } from '../base/suspended.ts';
export { DeclinedError, NoFitError, ReplayError, StepError } from '../server/rounds/errors.ts';
export type { RecordedFailure, ReplayErrorCode } from '../server/rounds/errors.ts';
export { inputRequired } from '../server/rounds/input-required.ts';
export type { InputRequired, InputRequiredParts } from '../server/rounds/input-required.ts';
export type { Ability } from '../server/rounds/questions/abilities.ts';
export type {
  Answer,
  Answers,
  AskOptions,
  Asks,
  Elicited,
  FormAsk,
  RootPlace,
  RootsAsk,
  SampleAsk,
  StepTools,
  UrlAsk,
} from '../server/rounds/author-types.ts';
export type { ToolOutput, ToolReturn } from '../server/tool-result.ts';
export type { ToolDefinition, ToolHandler } from '../server/tools.ts';
export type { ResourceDefinition, ResourceHandler } from '../server/resources.ts';
export type { TemplateDefinition, TemplateHandler } from '../server/templates.ts';
export type { ResourceOutput, ResourceReturn } from '../server/resource-result.ts';
export type { PromptDefinition, PromptHandler } from '../server/prompts.ts';
export type { PromptReturn } from '../server/prompt-result.ts';
export type { Completer, CompletionContext } from '../server/completion.ts';
export { UriTemplate } from '../core/uri-template.ts';
export type { TemplateValue } from '../core/uri-template-expand.ts';
export type { AnySchema, Infer, InferInput, StandardSchema } from '../schema/standard.ts';
export { webDoor } from '../transport/web.ts';
export type { WebDoorOptions, WebHandler } from '../transport/web.ts';
export type { CloseOptions } from '../transport/closing.ts';
export type { OpenCounts } from '../transport/http-server.ts';
export type { AllowedOrigins } from '../core/origins.ts';
export { memoryPipe } from '../transport/memory.ts';
export { servePipe } from '../transport/pipe-server.ts';
export type { ServedPipe, ServePipeOptions } from '../transport/pipe-server.ts';
export type { PipeOptions } from '../transport/pipe-client.ts';
export type {
  Authenticate,
  AuthenticateRequest,
  Bus,
  Call,
  Caller,
  Exchange,
  Identity,
  Note,
  Pipe,
  Refused,
  Reply,
  Service,
  Validator,
} from '../ports/index.ts';
export type {
  CacheHints,
  CallToolResult,
  ContentBlock,
  Icon,
  Implementation,
  LogLevel,
  ResourceContents,
  Tool,
  ToolAnnotations,
} from '../model/types.ts';
export type { Completion, PromptMessage } from '../model/prompts.ts';
export type { Resource } from '../model/resources.ts';
export { ArgumentError, CapabilityError, McpError, ResourceNotFoundError } from '../base/errors.ts';
export type { Json, JsonObject } from '../base/json.ts';
export type { Logger } from '../base/logger.ts';
