// Sampling: a server asks the model of the client.

import type { JsonObject } from '../../../base/json.ts';
import type * as Elder from '../../2025-06-18/types.ts';
import type { Call, Meta } from './base.ts';
import type { TaskAugmentedRequestParams } from './tasks.ts';
import type { ContentBlock, Tool } from './tools.ts';

/** The model wants a tool to be called. */
export interface ToolUseContent extends Meta {
  type: 'tool_use';
  id: string;
  name: string;
  input: JsonObject;
}

/** What came of a {@link ToolUseContent}, named by its `id`. */
export interface ToolResultContent extends Meta {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: JsonObject;
  isError?: boolean;
}

export type SamplingMessageContentBlock =
  | Elder.TextContent
  | Elder.ImageContent
  | Elder.AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage extends Meta {
  role: Elder.Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
}

/** Whether the model may, must or must not use tools; absent is `auto`. */
export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none';
}

export interface CreateMessageRequestParams
  extends TaskAugmentedRequestParams, Omit<Elder.CreateMessageRequest['params'], 'messages'> {
  messages: SamplingMessage[];
  tools?: Tool[];
  toolChoice?: ToolChoice;
}

export type CreateMessageRequest = Call<'sampling/createMessage', CreateMessageRequestParams>;

export interface CreateMessageResult extends Omit<Elder.CreateMessageResult, 'content'> {
  content: SamplingMessage['content'];
}
