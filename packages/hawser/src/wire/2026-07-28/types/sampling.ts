// Sampling: a server asks the model of the client.

import type * as Elder from '../../2025-11-25/types.ts';
import type { JSONObject } from './base.ts';
import type { Tool } from './tools.ts';

export interface ToolResultContent extends Omit<Elder.ToolResultContent, 'structuredContent'> {
  /** Any JSON value, `null` too. */
  structuredContent?: unknown;
}

export type SamplingMessageContentBlock =
  | Exclude<Elder.SamplingMessageContentBlock, Elder.ToolResultContent>
  | ToolResultContent;

export interface SamplingMessage extends Omit<Elder.SamplingMessage, 'content'> {
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
}

export interface CreateMessageRequestParams extends Omit<
  Elder.CreateMessageRequestParams,
  '_meta' | 'task' | 'messages' | 'metadata' | 'tools'
> {
  messages: SamplingMessage[];
  /** Handed to the provider as it is. */
  metadata?: JSONObject;
  tools?: Tool[];
}

export interface CreateMessageRequest {
  method: 'sampling/createMessage';
  params: CreateMessageRequestParams;
}

export interface CreateMessageResult extends Omit<Elder.CreateMessageResult, 'content'> {
  content: SamplingMessage['content'];
}
