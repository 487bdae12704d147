import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { CallToolResult, ContentBlock } from '../model/types.ts';

/** The long form of what a handler may return. */
export interface ToolOutput {
  /** Becomes a text block. */
  text?: string;
  content?: readonly ContentBlock[];
  /** Any JSON value; it is put into a text block too when there is no other content. */
  structured?: unknown;
  structuredContent?: unknown;
  /** The tool failed: the text says how, for the model to act on. */
  isError?: boolean;
  _meta?: JsonObject;
}

/** What a handler may return: text, content blocks, or more. Nothing at all is an empty result. */
export type ToolReturn = string | readonly ContentBlock[] | ToolOutput | undefined | void;

/** A handler's return value as a result, or what is wrong with it. */
export function toResult(value: unknown): CallToolResult | string {
  if (value === undefined) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (Array.isArray(value)) return withContent(value as unknown[], {});
  if (!isObject(value)) return 'a handler returns text, content blocks or an object';
  const structured = value['structured'] === undefined ? value['structuredContent'] : value['structured'];
  const { text, content, isError, _meta } = value;
  if (
    text === undefined &&
    content === undefined &&
    structured === undefined &&
    isError === undefined &&
    _meta === undefined
  ) {
    return 'the object returned has none of text, content, structured, isError: give plain data as { structured }';
  }
  const blocks: unknown[] = text === undefined ? [] : [{ type: 'text', text }];
  if (Array.isArray(content)) blocks.push(...(content as unknown[]));
  else if (content !== undefined) return 'content must be an array of content blocks';
  // For callers that know nothing of structured content (server/tools "Structured Content").
  if (blocks.length === 0 && structured !== undefined) blocks.push({ type: 'text', text: JSON.stringify(structured) });
  return withContent(blocks, {
    ...(structured !== undefined && { structuredContent: structured as Json }),
    ...(isError === true && { isError }),
    ...(isObject(_meta) && { _meta }),
  });
}

function withContent(content: unknown[], rest: Omit<CallToolResult, 'content'>): CallToolResult | string {
  for (const block of content) {
    if (!isObject(block) || typeof block['type'] !== 'string') return 'a content block needs a type';
    if (block['type'] === 'text' && typeof block['text'] !== 'string') return 'a text block needs a text';
  }
  return { content: content as unknown as ContentBlock[], ...rest };
}

/** A tool's own failure, as a result that a model can act on. */
export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
