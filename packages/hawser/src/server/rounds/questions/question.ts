import type { RpcErrorObject } from '../../../base/errors.ts';
import { sample } from '../../../base/logger.ts';
import type { InputRequest } from '../../../model/inputs.ts';

/** What reading an answer comes to: its value, or why the question has to be put again. */
export type Taken<Value> =
  | { readonly value: Value; readonly again?: undefined }
  | { readonly again: string; readonly value?: undefined };

/** One question, ready to be put. */
export interface Question<Value = unknown> {
  readonly request: InputRequest;
  readonly bound: boolean;
  /**
   * Reads an answer as it came.
   *
   * @throws InvalidResponseError when it is no answer to such a question at all
   */
  take(answer: unknown): Taken<Value> | Promise<Taken<Value>>;
  /** What a legacy caller's error comes to; without it the error is the handler's. */
  refused?(error: RpcErrorObject): Value;
}

/**
 * A question as it is sent once more: a form says what was wrong with the content before. What it is known by stays as
 * it was, so that an answer is one to the question of the author.
 */
export function corrected(request: InputRequest, why: string | undefined): InputRequest {
  if (why === undefined || request.method !== 'elicitation/create') return request;
  const message = `${request.params.message}\nPlease correct: ${sample(why, 500)}`;
  return { ...request, params: { ...request.params, message } };
}
