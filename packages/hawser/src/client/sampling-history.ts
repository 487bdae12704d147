import { isObject, type JsonObject } from '../base/json.ts';

/**
 * What is wrong with a conversation, in one clause (client/sampling "Message Content Constraints"): every message has
 * a role and content, results of tools stand alone, and each use of a tool is answered by the next message.
 */
export function historyProblem(messages: readonly unknown[]): string | undefined {
  let open: ReadonlySet<unknown> = new Set();
  for (const [at, message] of messages.entries()) {
    const read = readMessage(message);
    if (typeof read === 'string') return `message ${at}: ${read}`;
    const { role, blocks } = read;
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (role === 'user' && results.length > 0 && results.length < blocks.length)
      return `message ${at}: results of tools are mixed with other content`;
    const answered = new Set(role === 'user' ? results.map(({ toolUseId }) => toolUseId) : []);
    for (const id of open) if (!answered.has(id)) return `message ${at}: it does not answer every use of a tool`;
    const uses = role === 'assistant' ? blocks.filter(({ type }) => type === 'tool_use') : [];
    if (!uses.every(({ id }) => typeof id === 'string')) return `message ${at}: a use of a tool has no id`;
    open = new Set(uses.map(({ id }) => id));
  }
  return open.size === 0 ? undefined : 'the last message uses tools, and nothing answers it';
}

function readMessage(message: unknown): { role: 'user' | 'assistant'; blocks: readonly JsonObject[] } | string {
  if (!isObject(message)) return 'it is not an object';
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return 'its role is neither user nor assistant';
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  if (blocks.length === 0 || !blocks.every(isBlock)) return 'it has no content';
  return { role, blocks };
}

function isBlock(block: unknown): block is JsonObject {
  return isObject(block) && typeof block['type'] === 'string';
}
