import { InvalidResponseError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { ContentBlock, Implementation, Tool } from '../model/types.ts';
import type { ToolsPage } from './wire.ts';

/** A peer's value that is not what the protocol says. */
export function wrong(problem: string): InvalidResponseError {
  return new InvalidResponseError(`invalid response: ${problem}`);
}

export function optionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Who a peer says it is; display information, so a malformed one is simply not there. */
export function readImplementation(value: unknown): Implementation | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string' || typeof value['version'] !== 'string') return undefined;
  return value as JsonObject & Implementation;
}

export function readTools(result: JsonObject): ToolsPage {
  const { tools, nextCursor } = result;
  if (!Array.isArray(tools)) throw wrong('tools/list: tools is not an array');
  const read: Tool[] = [];
  for (const tool of tools as unknown[]) {
    if (!isObject(tool) || typeof tool['name'] !== 'string') throw wrong('tools/list: a tool has no name');
    if (!isObject(tool['inputSchema'])) throw wrong(`tools/list: tool "${tool['name']}" has no inputSchema`);
    read.push(tool as JsonObject & Tool);
  }
  // An empty cursor is a cursor; only a missing one ends the list (server/utilities/pagination).
  return typeof nextCursor === 'string' ? { tools: read, nextCursor } : { tools: read };
}

export function readContent(content: unknown): ContentBlock[] {
  if (!Array.isArray(content)) throw wrong('tools/call: content is not an array');
  for (const block of content as unknown[]) {
    if (!isObject(block) || typeof block['type'] !== 'string') throw wrong('tools/call: a content block has no type');
  }
  return content as ContentBlock[];
}
