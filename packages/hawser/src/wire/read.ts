import { InvalidResponseError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
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

/** One tool that cannot be used is left out, with the reason: it is no reason to lose the others. */
export function readTools(result: JsonObject): ToolsPage {
  const { tools, nextCursor } = result;
  if (!Array.isArray(tools)) throw wrong('tools/list: tools is not an array');
  const read: Tool[] = [];
  const problems: string[] = [];
  for (const tool of tools as unknown[]) {
    const problem = toolProblem(tool);
    if (problem === undefined) read.push(withoutNulls(tool as JsonObject & Tool));
    else problems.push(problem);
  }
  // An empty cursor is a cursor; only a missing one ends the list (server/utilities/pagination).
  return typeof nextCursor === 'string' ? { tools: read, nextCursor, problems } : { tools: read, problems };
}

function toolProblem(tool: unknown): string | undefined {
  if (!isObject(tool)) return 'a tool is not an object';
  const { name, inputSchema } = tool;
  if (typeof name !== 'string' || name === '') return 'a tool has no name';
  const shown = `tool "${sample(name, 128)}"`;
  if (!isObject(inputSchema)) return `${shown} has no input schema`;
  const type = inputSchema['type'];
  return type === undefined || type === 'object' ? undefined : `${shown} has an input schema that is not of an object`;
}

/** Some servers write `null` for what they do not say, and an output schema can be missed more easily than a tool. */
function withoutNulls(tool: JsonObject & Tool): Tool {
  const bad = Object.keys(tool).filter((key) => tool[key] === null || (key === 'outputSchema' && !isObject(tool[key])));
  if (bad.length === 0) return tool;
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !bad.includes(key))) as JsonObject & Tool;
}

export function readContent(content: unknown): ContentBlock[] {
  if (!Array.isArray(content)) throw wrong('tools/call: content is not an array');
  for (const block of content as unknown[]) {
    if (!isObject(block) || typeof block['type'] !== 'string') throw wrong('tools/call: a content block has no type');
  }
  return content as ContentBlock[];
}
