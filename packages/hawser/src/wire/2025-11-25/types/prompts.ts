// Prompts.

import type * as Elder from '../../2025-06-18/types.ts';
import type { BareCall, BareNote, Call, Icons, PaginatedRequestParams, RequestParams } from './base.ts';
import type { ContentBlock } from './tools.ts';

export interface Prompt extends Elder.Prompt, Icons {}

export interface PromptMessage extends Elder.PromptMessage {
  content: ContentBlock;
}

export type ListPromptsRequest = BareCall<'prompts/list', PaginatedRequestParams>;

export interface ListPromptsResult extends Elder.ListPromptsResult {
  prompts: Prompt[];
}

export interface GetPromptRequestParams extends RequestParams {
  name: string;
  arguments?: { [name: string]: string };
}

export type GetPromptRequest = Call<'prompts/get', GetPromptRequestParams>;

export interface GetPromptResult extends Elder.GetPromptResult {
  messages: PromptMessage[];
}

export type PromptListChangedNotification = BareNote<'notifications/prompts/list_changed'>;
