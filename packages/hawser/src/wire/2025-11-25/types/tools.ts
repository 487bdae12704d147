// Content, and the tools that give it.

import type { JsonObject } from '../../../base/json.ts';
import type * as Elder from '../../2025-06-18/types.ts';
import type { BareCall, BareNote, Call, Icons, PaginatedRequestParams } from './base.ts';
import type { TaskAugmentedRequestParams } from './tasks.ts';

export interface ResourceLink extends Elder.ResourceLink, Icons {}

export type ContentBlock =
  | Elder.TextContent
  | Elder.ImageContent
  | Elder.AudioContent
  | ResourceLink
  | Elder.EmbeddedResource;

/** Whether a tool may, must or must not run as a task; absent is `forbidden`. */
export interface ToolExecution {
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

export interface Tool extends Elder.Tool, Icons {
  inputSchema: Elder.Tool['inputSchema'] & { $schema?: string };
  outputSchema?: Elder.Tool['inputSchema'] & { $schema?: string };
  execution?: ToolExecution;
}

export type ListToolsRequest = BareCall<'tools/list', PaginatedRequestParams>;

export interface ListToolsResult extends Elder.ListToolsResult {
  tools: Tool[];
}

export interface CallToolRequestParams extends TaskAugmentedRequestParams {
  name: string;
  arguments?: JsonObject;
}

export type CallToolRequest = Call<'tools/call', CallToolRequestParams>;

export interface CallToolResult extends Elder.CallToolResult {
  content: ContentBlock[];
}

export type ToolListChangedNotification = BareNote<'notifications/tools/list_changed'>;
