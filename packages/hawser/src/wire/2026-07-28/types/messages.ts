// Who may send what.

import type { EmptyResult } from './base.ts';
import type { DiscoverRequest, DiscoverResult } from './discovery.ts';
import type { CancelledNotification, InputRequiredResult, ProgressNotification } from './patterns.ts';
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
  ReadResourceResult,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
} from './resources.ts';
import type { CompleteRequest, CompleteResult, LoggingMessageNotification } from './server-utilities.ts';
import type {
  SubscriptionsAcknowledgedNotification,
  SubscriptionsListenRequest,
  SubscriptionsListenResult,
} from './subscriptions.ts';
import type {
  CallToolRequest,
  CallToolResult,
  ListToolsRequest,
  ListToolsResult,
  ToolListChangedNotification,
} from './tools.ts';

export type ClientRequest =
  | DiscoverRequest
  | ListToolsRequest
  | CallToolRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | ListPromptsRequest
  | GetPromptRequest
  | CompleteRequest
  | SubscriptionsListenRequest;

export type ClientNotification = CancelledNotification;

/** No server sends requests, so no client sends results of its own. */
export type ClientResult = EmptyResult;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | ToolListChangedNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | SubscriptionsAcknowledgedNotification
  | LoggingMessageNotification;

export type ServerResult =
  | EmptyResult
  | InputRequiredResult
  | DiscoverResult
  | ListToolsResult
  | CallToolResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | CompleteResult
  | SubscriptionsListenResult;
