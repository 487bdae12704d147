import { errorCodes } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type { Reply } from '../ports/index.ts';
import { errorText, resultText } from '../wire/index.ts';

/** A reply as JSON text. A result that is no JSON (a cycle, a BigInt) is our fault: an internal error. */
export function replyText(id: RequestId, reply: Reply): string {
  if (reply.error !== undefined) return errorText(id, reply.error);
  try {
    return resultText(id, reply.json ?? JSON.stringify(reply.result));
  } catch {
    return errorText(id, { code: errorCodes.internal, message: 'the result cannot be written as JSON' });
  }
}

/** What callers learn of a handler that broke: nothing, since its text may hold secrets. */
export const brokenHandler: Reply = { error: { code: errorCodes.internal, message: 'internal error' } };

/** The reply to a method that is not there. */
export function methodNotFound(method: string): Reply {
  return {
    error: { code: errorCodes.methodNotFound, message: `method not found: ${method.slice(0, 100)}` },
    status: 404,
  };
}
