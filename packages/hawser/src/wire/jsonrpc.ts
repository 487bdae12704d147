import type { RpcErrorObject } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';

/** A JSON-RPC message, told apart and checked as far as JSON-RPC 2.0 and MCP's base protocol go. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: JsonObject | undefined;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly id: RequestId | undefined; readonly error: RpcErrorObject }
  /** A response that breaks the rules; the request it names gets nothing better. */
  | { readonly kind: 'broken-response'; readonly id: RequestId | undefined; readonly problem: string }
  /** Anything else; `id` if one can be read. */
  | { readonly kind: 'invalid'; readonly id: RequestId | undefined; readonly code: number; readonly problem: string };

/** An id as MCP allows it: a string or an integer that keeps its value (basic/index "Requests"). */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Tells what a parsed message is. Total: never throws, whatever comes. */
export function readMessage(message: unknown): Message {
  if (!isObject(message)) return invalid(undefined, 'a message is a JSON object');
  const id = message['id'];
  const known = isRequestId(id) ? id : undefined;
  if (message['jsonrpc'] !== '2.0') return invalid(known, 'jsonrpc must be "2.0"');
  const method = message['method'];
  if (method === undefined) return readResponse(message, known);
  if (typeof method !== 'string') return invalid(known, 'method must be a string');
  const params = message['params'];
  const wellFormed = params === undefined || isObject(params);
  if (id === undefined) {
    if (!wellFormed) return invalid(undefined, 'params must be an object');
    return { kind: 'notification', method, params };
  }
  if (known === undefined) return invalid(undefined, 'id must be a string or an integer');
  if (!wellFormed) return invalid(known, 'params must be an object', errorCodes.invalidParams);
  return { kind: 'request', id: known, method, params };
}

function readResponse(message: JsonObject, id: RequestId | undefined): Message {
  const { result, error } = message;
  if (result === undefined && error === undefined) return invalid(id, 'neither a method nor a result nor an error');
  const broken = (problem: string): Message => ({ kind: 'broken-response', id, problem });
  if (result !== undefined && error !== undefined) return broken('both a result and an error');
  if (error !== undefined) {
    const read = readError(error);
    return read === undefined
      ? broken('an error needs an integer code and a message')
      : { kind: 'error', id, error: read };
  }
  if (id === undefined) return broken('a result needs an id');
  return isObject(result) ? { kind: 'result', id, result } : broken('a result must be an object');
}

/** The `error` member of a response, or undefined when it is none. */
export function readError(error: unknown): RpcErrorObject | undefined {
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined;
  const checked: RpcErrorObject = { code: code as number, message };
  if (data !== undefined) checked.data = data;
  return checked;
}

function invalid(id: RequestId | undefined, problem: string, code: number = errorCodes.invalidRequest): Message {
  return { kind: 'invalid', id, code, problem };
}

const numberHead = '{"jsonrpc":"2.0","id":';

/** A result as JSON text, from its own JSON text. */
export function resultText(id: RequestId, result: string): string {
  return `${numberHead}${typeof id === 'number' ? id : JSON.stringify(id)},"result":${result}}`;
}

/** An error response as JSON text; without an id where none could be read, unless the revision wants `null`. */
export function errorText(id: RequestId | undefined, error: RpcErrorObject, nullId = false): string {
  if (id === undefined && !nullId) return JSON.stringify({ jsonrpc: '2.0', error });
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error });
}

/** A request as JSON text, from the JSON text of its params. */
export function requestTextOf(id: RequestId, method: string, params: string): string {
  return `${numberHead}${typeof id === 'number' ? id : JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${params}}`;
}

/** A request as JSON text. */
export function requestText(id: RequestId, method: string, params: JsonObject | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/**
 * `notifications/progress` as JSON text, as {@link noteText} would write it. A call may send very many: written by hand
 * they take a third of the time.
 */
export function progressText(params: JsonObject): string {
  let text = '{"jsonrpc":"2.0","method":"notifications/progress","params":{';
  let comma = '';
  for (const name in params) {
    const value = params[name];
    if (value === undefined) continue;
    text += `${comma}"${name}":${typeof value === 'number' ? value : JSON.stringify(value)}`;
    comma = ',';
  }
  return `${text}}}`;
}

/** A notification as JSON text. */
export function noteText(method: string, params: JsonObject | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}
