// Base: JSON, `_meta`, JSON-RPC messages, pages, caching.

import type { JsonObject } from '../../../base/json.ts';
import type * as Elder from '../../2025-11-25/types.ts';
import type { ClientCapabilities } from './discovery.ts';

export type JSONValue = null | boolean | number | string | JSONArray | JSONObject;

export type JSONArray = JSONValue[];

export interface JSONObject {
  [key: string]: JSONValue;
}

/**
 * Keys may have a prefix like `com.example/`; a prefix whose second label is `modelcontextprotocol` or `mcp` is
 * reserved.
 */
export type MetaObject = JsonObject;

/** What a request says of its sender, in place of a handshake. */
export interface RequestMetaObject extends MetaObject {
  'io.modelcontextprotocol/protocolVersion': string;
  'io.modelcontextprotocol/clientCapabilities': ClientCapabilities;
  'io.modelcontextprotocol/clientInfo'?: Elder.Implementation;
  /** Asks for log messages of this level and above while the request runs; absent asks for none. */
  'io.modelcontextprotocol/logLevel'?: Elder.LoggingLevel;
  /** Asks for progress notices. */
  progressToken?: Elder.ProgressToken;
}

export interface NotificationMetaObject extends MetaObject {
  /** The id of the `subscriptions/listen` request that the notice belongs to. */
  'io.modelcontextprotocol/subscriptionId'?: Elder.RequestId;
}

export interface ResultMetaObject extends MetaObject {
  'io.modelcontextprotocol/serverInfo'?: Elder.Implementation;
}

/** A request with its envelope. This and the next few are ours, not names of the schema. */
export interface Call<Method extends string, Params> {
  jsonrpc: '2.0';
  id: Elder.RequestId;
  method: Method;
  params: Params;
}

export type Note<Method extends string, Params> = Omit<Call<Method, Params>, 'id'>;

/** A notification whose `params` may be left out. */
export type BareNote<Method extends string> = Omit<Note<Method, unknown>, 'params'> & { params?: NotificationParams };

export interface Reply<Of> {
  jsonrpc: '2.0';
  id: Elder.RequestId;
  result: Of;
}

export interface RequestParams {
  _meta: RequestMetaObject;
}

export interface NotificationParams {
  _meta?: NotificationMetaObject;
}

/** `complete` or `input_required`; extensions add their own. */
export type ResultType = string;

export interface KnownResult {
  _meta?: ResultMetaObject;
  resultType: ResultType;
}

/** What all results have in common; a result of unknown kind. */
export interface Result extends KnownResult {
  [key: string]: unknown;
}

/** The answer to a request that has nothing to say but "done". */
export type EmptyResult = Result;

/** How long a result may be reused (`ttlMs`, in milliseconds), and whether by other users. */
export interface CacheableResult extends KnownResult {
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

export type JSONRPCResultResponse = Reply<Result>;

export type JSONRPCResponse = JSONRPCResultResponse | Elder.JSONRPCErrorResponse;

export type JSONRPCMessage = Elder.JSONRPCRequest | Elder.JSONRPCNotification | JSONRPCResponse;

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Elder.Cursor;
}

export type PaginatedRequest = Call<string, PaginatedRequestParams>;

/** One page of a list; without `nextCursor`, the last. */
export interface PaginatedResult extends KnownResult {
  nextCursor?: Elder.Cursor;
}
