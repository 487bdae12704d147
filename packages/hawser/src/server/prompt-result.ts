import { isBase64 } from '../base/base64.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { GetPromptResult, PromptMessage } from '../model/prompts.ts';
import type { ContentBlock } from '../model/types.ts';
import { toResult } from './tool-result.ts';

/** What a prompt may give back: text or a block, as the user's one message, or messages. */
export type PromptReturn =
  | string
  | ContentBlock
  | readonly PromptMessage[]
  | { description?: string; messages: readonly PromptMessage[]; _meta?: JsonObject };

/** A handler's return value as a result, or what is wrong with it. */
export function toPromptResult(value: unknown, description: string | undefined): GetPromptResult | string {
  if (typeof value === 'string') return toPromptResult({ type: 'text', text: value }, description);
  if (Array.isArray(value)) return toPromptResult({ messages: value as unknown[] }, description);
  if (!isObject(value)) return 'a prompt is text, a content block, or messages';
  if (value['messages'] === undefined)
    return toPromptResult({ messages: [{ role: 'user', content: value }] }, description);
  const { messages, description: own, _meta } = value;
  if (!Array.isArray(messages)) return 'messages is not an array';
  if (own !== undefined && typeof own !== 'string') return 'the description is not a string';
  for (const message of messages as unknown[]) {
    const problem = messageProblem(message);
    if (problem !== undefined) return problem;
  }
  const said = own ?? description;
  return {
    ...(said !== undefined && { description: said }),
    messages: messages as PromptMessage[],
    ...(isObject(_meta) && { _meta }),
  };
}

function messageProblem(message: unknown): string | undefined {
  const { role, content } = isObject(message) ? message : {};
  if (role !== 'user' && role !== 'assistant') return 'the role of a message is "user" or "assistant"';
  if (!isObject(content)) return 'the content of a message is one content block';
  const result = toResult([content]);
  if (typeof result === 'string') return result;
  return mediaProblem(content);
}

/** Pictures and sounds are base64 of a known type (server/prompts "Security"). */
function mediaProblem({ type, data, mimeType, resource }: JsonObject): string | undefined {
  if (type === 'image' || type === 'audio') {
    if (typeof data !== 'string' || !isBase64(data)) return `the data of ${type} content is not base64`;
    if (typeof mimeType !== 'string' || !/^[\w.+-]+\/[\w.+-]+/.test(mimeType))
      return `the mimeType of ${type} content is no media type`;
  }
  const blob = isObject(resource) ? resource['blob'] : undefined;
  return typeof blob === 'string' && !isBase64(blob) ? 'the blob of a resource is not base64' : undefined;
}
