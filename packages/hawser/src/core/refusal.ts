import type { RpcErrorObject } from '../base/errors.ts';
import type { RequestId } from '../model/types.ts';

/** A message that is not served: the error to answer with, and the HTTP status that goes with it. */
export class Refusal {
  readonly status: number;
  readonly error: RpcErrorObject;
  /** The id of the refused request, if one could be read. */
  readonly id: RequestId | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    status: number,
    code: number,
    message: string,
    more: { data?: unknown; id?: RequestId | undefined; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.status = status;
    this.error = more.data === undefined ? { code, message } : { code, message, data: more.data };
    this.id = more.id;
    this.headers = more.headers;
  }
}
