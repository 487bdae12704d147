// Prompts.

import type * as Elder from '../../2025-11-25/types.ts';
import type {
  BareNote,
  CacheableResult,
  Call,
  KnownResult,
  PaginatedRequestParams,
  PaginatedResult,
  Reply,
} from './base.ts';
import type { InputRequiredResult, InputResponseRequestParams } from './patterns.ts';

export type ListPromptsRequest = Call<'prompts/list', PaginatedRequestParams>;

export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Elder.Prompt[];
}

export type ListPromptsResultResponse = Reply<ListPromptsResult>;

export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: { [name: string]: string };
}

export type GetPromptRequest = Call<'prompts/get', GetPromptRequestParams>;

export interface GetPromptResult extends KnownResult, Omit<Elder.GetPromptResult, '_meta'> {}

export type GetPromptResultResponse = Reply<GetPromptResult | InputRequiredResult>;

export type PromptListChangedNotification = BareNote<'notifications/prompts/list_changed'>;
