// Who may send what.

import type * as Elder from '../../2025-06-18/types.ts';
import type { ElicitRequest, ElicitResult, ElicitationCompleteNotification } from './elicitation.ts';
import type { InitializeRequest, InitializeResult, InitializedNotification } from './lifecycle.ts';
import type {
  GetPromptRequest,
  GetPromptResult,
  ListPromptsRequest,
  ListPromptsResult,
  PromptListChangedNotification,
} from './prompts.ts';
import type {
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListResourcesRequest,
  ListResourcesResult,
  ReadResourceRequest,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  SubscribeRequest,
  UnsubscribeRequest,
} from './resources.ts';
import type { ListRootsRequest, RootsListChangedNotification } from './roots.ts';
import type { CreateMessageRequest, CreateMessageResult } from './sampling.ts';
import type { CompleteRequest, LoggingMessageNotification, SetLevelRequest } from './server-utilities.ts';
import type {
  CancelTaskRequest,
  CancelTaskResult,
  GetTaskPayloadRequest,
  GetTaskPayloadResult,
  GetTaskRequest,
  GetTaskResult,
  ListTasksRequest,
  ListTasksResult,
  TaskStatusNotification,
} from './tasks.ts';
import type {
  CallToolRequest,
  CallToolResult,
  ListToolsRequest,
  ListToolsResult,
  ToolListChangedNotification,
} from './tools.ts';
import type { CancelledNotification, PingRequest, ProgressNotification } from './utilities.ts';

type TaskRequest = GetTaskRequest | GetTaskPayloadRequest | ListTasksRequest | CancelTaskRequest;

type TaskResult = GetTaskResult | GetTaskPayloadResult | ListTasksResult | CancelTaskResult;

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
  | SetLevelRequest
  | TaskRequest;

export type ClientNotification =
  | InitializedNotification
  | CancelledNotification
  | ProgressNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

export type ClientResult = Elder.EmptyResult | CreateMessageResult | Elder.ListRootsResult | ElicitResult | TaskResult;

export type ServerRequest = PingRequest | CreateMessageRequest | ListRootsRequest | ElicitRequest | TaskRequest;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | ToolListChangedNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | LoggingMessageNotification
  | ElicitationCompleteNotification
  | TaskStatusNotification;

export type ServerResult =
  | Elder.EmptyResult
  | InitializeResult
  | ListToolsResult
  | CallToolResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | Elder.ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | Elder.CompleteResult
  | TaskResult;
