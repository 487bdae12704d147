import { InvalidResponseError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Completion, GetPromptResult, PromptMessage } from '../model/prompts.ts';
import type { ReadResourceResult } from '../model/resources.ts';
import type { ContentBlock, Implementation, ResourceContents } from '../model/types.ts';

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

/** Content that is missing is none: some servers give structured content only. What is no block costs no other. */
export function readContent(content: unknown): ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) throw wrong('tools/call: content is not an array');
  return content.every(isContent) ? content : content.filter(isContent);
}

function isContent(block: unknown): block is ContentBlock {
  return isObject(block) && typeof block['type'] === 'string';
}

/** No contents at all is an answer too: the resource is empty. */
export function readResource({ contents, _meta }: JsonObject): ReadResourceResult {
  if (!Array.isArray(contents)) throw wrong('resources/read: contents is not an array');
  for (const each of contents as unknown[]) {
    if (!isObject(each) || typeof each['uri'] !== 'string') throw wrong('resources/read: a content has no uri');
    if (typeof each['text'] !== 'string' && typeof each['blob'] !== 'string')
      throw wrong('resources/read: a content has neither text nor blob');
  }
  return { contents: contents as ResourceContents[], ...(isObject(_meta) && { _meta }) };
}

export function readPrompt({ messages, description, _meta }: JsonObject): GetPromptResult {
  if (!Array.isArray(messages)) throw wrong('prompts/get: messages is not an array');
  for (const message of messages as unknown[]) {
    const { role, content } = isObject(message) ? message : {};
    if (role !== 'user' && role !== 'assistant') throw wrong('prompts/get: a role is neither user nor assistant');
    if (!isContent(content)) throw wrong('prompts/get: the content of a message has no type');
  }
  return {
    ...(typeof description === 'string' && { description }),
    messages: messages as PromptMessage[],
    ...(isObject(_meta) && { _meta }),
  };
}

export function readCompletion({ completion }: JsonObject): Completion {
  const { values, total, hasMore } = isObject(completion) ? completion : {};
  if (!Array.isArray(values)) throw wrong('completion/complete: values is not an array');
  return {
    values: values.filter((value) => typeof value === 'string'),
    ...(typeof total === 'number' && { total }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  };
}
