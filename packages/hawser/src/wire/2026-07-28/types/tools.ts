// Tools.

import type { JsonObject } from '../../../base/json.ts';
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

/** Both schemas may use all of JSON Schema 2020-12; that of the output need not be of an object. */
export interface Tool extends Omit<Elder.Tool, 'inputSchema' | 'outputSchema' | 'execution'> {
  inputSchema: { type: 'object'; $schema?: string; [keyword: string]: unknown };
  outputSchema?: { $schema?: string; [keyword: string]: unknown };
}

export type ListToolsRequest = Call<'tools/list', PaginatedRequestParams>;

export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

export type ListToolsResultResponse = Reply<ListToolsResult>;

export interface CallToolRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: JsonObject;
}

export type CallToolRequest = Call<'tools/call', CallToolRequestParams>;

export interface CallToolResult extends KnownResult {
  content: Elder.ContentBlock[];
  /** Any JSON value, `null` too. */
  structuredContent?: unknown;
  /** The tool failed; the protocol did not. */
  isError?: boolean;
}

export type CallToolResultResponse = Reply<CallToolResult | InputRequiredResult>;

export type ToolListChangedNotification = BareNote<'notifications/tools/list_changed'>;
