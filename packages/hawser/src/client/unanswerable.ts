import { InvalidResponseError, McpError, type Origin } from '../base/errors.ts';
import { errorCodes } from '../model/meta.ts';

/**
 * A question of a server that gets no answer. The message goes to legacy servers as it stands, so it holds nothing of
 * this side: what a handler threw is the `cause`, which stays here.
 */
export class Unanswerable extends McpError {
  /** The JSON-RPC code that a legacy server is told. */
  readonly rpcCode: number;
  /** The same in more words, for this side only. */
  readonly detail: string | undefined;

  constructor(rpcCode: number, message: string, origin: Origin, cause?: unknown, detail?: string) {
    super('unanswerable', message, { origin, cause });
    this.rpcCode = rpcCode;
    this.detail = detail;
  }
}

/** -32601: nobody here answers such questions. */
export function notServed(method: string): Unanswerable {
  return new Unanswerable(errorCodes.methodNotFound, `this client does not serve ${method}`, 'local');
}

/** -32602: the question is not as it has to be. */
export function badQuestion(problem: string): Unanswerable {
  return new Unanswerable(errorCodes.invalidParams, problem, 'peer');
}

/** -32603: something went wrong on this side; `what` is said to the server, `cause` and `detail` are not. */
export function failedHere(what: string, cause?: unknown, detail?: string): Unanswerable {
  return new Unanswerable(errorCodes.internal, what, 'local', cause, detail);
}

/** Reads a question. @throws Unanswerable when it cannot be read */
export function readQuestion<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidResponseError) throw badQuestion(error.message.replace(/^invalid response: /, ''));
    throw error;
  }
}
