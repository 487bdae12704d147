import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { CallToolResult, ContentBlock } from '../model/types.ts';

/** The long form of what a handler may return. */
export interface ToolOutput<Structured = unknown> {
  /** Becomes a text block. */
  text?: string;
  content?: readonly ContentBlock[];
  /** Any JSON value; it is put into a text block too when there is no other content. */
  structured?: Structured;
  structuredContent?: Structured;
  /** The tool failed: the text says how, for the model to act on. */
  isError?: boolean;
  _meta?: JsonObject;
}

/** What a handler may return: text, a content block or several, or more. Nothing at all is an empty result. */
export type ToolReturn = string | ContentBlock | readonly ContentBlock[] | ToolOutput | undefined | void;

/** A handler's return value as a result, or what is wrong with it. Structured content is not in the text yet. */
export function toResult(value: unknown): CallToolResult | string {
  if (value === undefined) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (Array.isArray(value)) return withContent(value as unknown[], {});
  if (!isObject(value)) return 'a handler returns text, content blocks or an object';
  if (isBlock(value)) return withContent([value], {});
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
  if (typeof structured === 'function' || typeof structured === 'symbol') return 'structured must be a JSON value';
  const blocks: unknown[] = text === undefined ? [] : [{ type: 'text', text }];
  if (Array.isArray(content)) blocks.push(...(content as unknown[]));
  else if (content !== undefined) return 'content must be an array of content blocks';
  return withContent(blocks, {
    ...(structured !== undefined && { structuredContent: structured as Json }),
    ...(isError === true && { isError }),
    ...(isObject(_meta) && { _meta }),
  });
}

/** One block, which the long form has no `type` to be taken for. */
function isBlock(value: JsonObject): boolean {
  return typeof value['type'] === 'string' && !longMembers.some((name) => value[name] !== undefined);
}

const longMembers = ['content', 'structured', 'structuredContent', 'isError'];

function withContent(content: unknown[], rest: Omit<CallToolResult, 'content'>): CallToolResult | string {
  for (const block of content) {
    const problem = blockProblem(block);
    if (problem !== undefined) return problem;
  }
  // Each of them was looked at just now.
  return { content: content as ContentBlock[], ...rest };
}

/** What a block of each type must have, all of it text (server/tools "Tool Result"). */
const needed: Readonly<Record<ContentBlock['type'], readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
};

function blockProblem(block: unknown): string | undefined {
  if (!isObject(block) || typeof block['type'] !== 'string') return 'a content block needs a type';
  const { type } = block;
  if (!Object.hasOwn(needed, type)) return `there is no content of type "${sample(type, 40)}"`;
  const lacking = needed[type as ContentBlock['type']].find((name) => typeof block[name] !== 'string');
  if (lacking !== undefined) return `content of type ${type} needs ${lacking}, a string`;
  return type === 'resource' ? resourceProblem(block['resource']) : undefined;
}

function resourceProblem(resource: unknown): string | undefined {
  const whole =
    isObject(resource) &&
    typeof resource['uri'] === 'string' &&
    (typeof resource['text'] === 'string' || typeof resource['blob'] === 'string');
  return whole ? undefined : 'content of type resource needs resource, with uri and text or blob';
}

/**
 * Puts structured content into a text block too when the result has no text: for callers that know nothing of
 * structured content (server/tools "Structured Content").
 *
 * @throws TypeError when it is no JSON
 */
export function withText(result: CallToolResult): CallToolResult {
  if (result.structuredContent === undefined || result.content.some(({ type }) => type === 'text')) return result;
  const text = JSON.stringify(result.structuredContent);
  return { ...result, content: [...result.content, { type: 'text', text }] };
}

/** A tool's own failure, as a result that a model can act on. */
export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** What a handler threw, in words for the model. */
export function reasonOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const { message, name } = isObject(thrown) ? thrown : { message: undefined, name: undefined };
  if (typeof message === 'string' && message !== '') return message;
  return typeof name === 'string' && name !== '' ? name : 'the tool failed';
}
