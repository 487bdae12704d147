/** Whether a conversation for a model makes sense (client/sampling). */
import { isObject } from '../../../base/json.ts';
import type { CreateMessageParams } from '../../../model/inputs.ts';

/** What is wrong with it, in one sentence. */
export function conversationProblem({ messages, maxTokens }: CreateMessageParams): string | undefined {
  if (!Array.isArray(messages)) return 'messages is not a list';
  if (typeof maxTokens !== 'number' || !(maxTokens > 0)) return 'maxTokens is not a number above 0';
  /** Uses of tools in the message before that have no result yet. */
  let open = new Set<unknown>();
  for (const [at, message] of (messages as unknown[]).entries()) {
    const { role, content } = isObject(message) ? message : {};
    if (role !== 'user' && role !== 'assistant') return `messages[${at}]: role is neither user nor assistant`;
    const blocks: unknown[] = Array.isArray(content) ? content : [content];
    if (!blocks.every((block) => isObject(block) && typeof block['type'] === 'string'))
      return `messages[${at}]: content is no content`;
    const typed = blocks as { type: string; id?: unknown; toolUseId?: unknown }[];
    const results = typed.filter(({ type }) => type === 'tool_result');
    if (results.length > 0 && (role !== 'user' || results.length < typed.length))
      return `messages[${at}]: results of tools stand in a message of the user with nothing else`;
    for (const { toolUseId } of results)
      if (!open.delete(toolUseId)) return `messages[${at}]: a result of a tool that was not used in the message before`;
    if (open.size > 0) return `messages[${at}]: a tool was used in the message before, and its result is missing here`;
    const uses = typed.filter(({ type }) => type === 'tool_use');
    if (uses.length > 0 && role !== 'assistant') return `messages[${at}]: only the assistant uses tools`;
    open = new Set(uses.map(({ id }) => id));
    if (open.size < uses.length) return `messages[${at}]: two uses of tools have one id`;
  }
  return open.size > 0 ? 'the last message uses a tool, and there is no result of it' : undefined;
}

/** Whether the model has to know of tools. */
export function talksOfTools({ messages, tools, toolChoice }: CreateMessageParams): boolean {
  if (tools !== undefined || toolChoice !== undefined) return true;
  return messages.some(({ content }) =>
    (Array.isArray(content) ? content : [content]).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
}
