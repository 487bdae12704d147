/** What a server asks of a client, and what the client answers, as it comes from the other side. */
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  ListRootsResult,
  Root,
} from '../model/inputs.ts';
import { wrong } from './read.ts';

/** A question for a person; one without `mode` is a form (client/elicitation). */
export function readElicitParams(params: JsonObject | undefined): ElicitParams {
  const { mode, message, requestedSchema, url, elicitationId, _meta } = params ?? {};
  if (typeof message !== 'string') throw wrong('elicitation/create: message is not a string');
  const meta = isObject(_meta) && { _meta };
  if (mode === 'url') {
    if (typeof url !== 'string') throw wrong('elicitation/create: url is not a string');
    return { mode, message, url, ...(typeof elicitationId === 'string' && { elicitationId }), ...meta };
  }
  if (mode !== undefined && mode !== 'form')
    throw wrong(`elicitation/create: there is no mode ${sample(JSON.stringify(mode), 40)}`);
  if (!isObject(requestedSchema)) throw wrong('elicitation/create: requestedSchema is not an object');
  return { mode: 'form', message, requestedSchema, ...meta };
}

/** What was asked of a model; whether its history makes sense is for the client to say. */
export function readCreateMessageParams(params: JsonObject | undefined): CreateMessageParams {
  const { messages, maxTokens } = params ?? {};
  if (!Array.isArray(messages)) throw wrong('sampling/createMessage: messages is not an array');
  if (typeof maxTokens !== 'number') throw wrong('sampling/createMessage: maxTokens is not a number');
  // The rest is as it came: only the client knows what it needs of it.
  return params as JsonObject & CreateMessageParams;
}

const actions = new Map<unknown, ElicitResult['action']>([
  ['accept', 'accept'],
  ['decline', 'decline'],
  ['cancel', 'cancel'],
  // What drafts called it.
  ['reject', 'decline'],
]);

/** Content counts only with `accept`; whatever comes with the others is dropped. */
export function readElicitResult(result: unknown): ElicitResult {
  const { action: said, content, _meta } = isObject(result) ? result : {};
  const action = actions.get(said);
  if (action === undefined) throw wrong('elicitation: there is no such action');
  const meta = isObject(_meta) && { _meta };
  if (action !== 'accept' || content === undefined || content === null) return { action, ...meta };
  if (!isObject(content)) throw wrong('elicitation: content is not an object');
  return { action, content, ...meta };
}

export function readCreateMessageResult(result: unknown): CreateMessageResult {
  if (!isObject(result)) throw wrong('sampling: the result is not an object');
  const { role, content, model } = result;
  if (role !== 'user' && role !== 'assistant') throw wrong('sampling: role is neither user nor assistant');
  if (typeof model !== 'string') throw wrong('sampling: model is not a string');
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every((block) => isObject(block) && typeof block['type'] === 'string'))
    throw wrong('sampling: content is no content');
  // Blocks of unknown types stay: a model of tomorrow may say more than is known today.
  return result as JsonObject & CreateMessageResult;
}

/** A list that is missing is empty; an entry without URI is none. */
export function readRootsResult(result: unknown): ListRootsResult {
  if (!isObject(result)) throw wrong('roots: the result is not an object');
  const roots: unknown[] = Array.isArray(result['roots']) ? result['roots'] : [];
  return {
    roots: roots.filter((root): root is JsonObject & Root => isObject(root) && typeof root['uri'] === 'string'),
  };
}
