import type { RpcErrorObject } from '../../base/errors.ts';
import type { InputRequest } from '../../model/inputs.ts';

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
