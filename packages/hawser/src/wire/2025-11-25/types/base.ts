// Base: JSON-RPC messages, pages, icons.

import type { JsonObject } from '../../../base/json.ts';
import type * as Elder from '../../2025-06-18/types.ts';

/** A request with its envelope. This and the next few are ours, not names of the schema. */
export interface Call<Method extends string, Params> {
  jsonrpc: '2.0';
  id: Elder.RequestId;
  method: Method;
  params: Params;
}

/** A call whose `params` may be left out. */
export type BareCall<Method extends string, Params> = Omit<Call<Method, Params>, 'params'> & { params?: Params };

export type Note<Method extends string, Params> = Omit<Call<Method, Params>, 'id'>;

/** A notification whose `params` may be left out. */
export type BareNote<Method extends string> = Omit<Note<Method, unknown>, 'params'> & { params?: NotificationParams };

export interface Meta {
  _meta?: JsonObject;
}

/** What all requests have in common, before JSON-RPC adds its envelope. */
export interface Request {
  method: string;
  params?: JsonObject;
}

export interface RequestParams {
  _meta?: {
    /** Present if the requester wants progress notices. */
    progressToken?: Elder.ProgressToken;
    [key: string]: unknown;
  };
}

export interface Notification {
  method: string;
  params?: JsonObject;
}

export interface NotificationParams extends Meta {}

export interface JSONRPCRequest extends Request {
  jsonrpc: '2.0';
  id: Elder.RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: '2.0';
}

export type JSONRPCResultResponse = Elder.JSONRPCResponse;

export interface Error {
  code: number;
  message: string;
  data?: unknown;
}

/** `id` is absent if the request could not be read. */
export interface JSONRPCErrorResponse {
  jsonrpc: '2.0';
  id?: Elder.RequestId;
  error: Error;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Elder.Cursor;
}

export type PaginatedRequest = BareCall<string, PaginatedRequestParams>;

/** A picture for a name in a user interface. `src` is an `https:` or `data:` address and is not trusted. */
export interface Icon {
  src: string;
  mimeType?: string;
  /** `48x48`, or `any` for what scales. */
  sizes?: string[];
  theme?: 'light' | 'dark';
}

export interface Icons {
  icons?: Icon[];
}
