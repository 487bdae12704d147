// Discovery and capabilities.

import type { JsonObject } from '../../../base/json.ts';
import type { CacheableResult, Call, JSONObject, Reply, RequestParams } from './base.ts';

export interface ClientCapabilities {
  experimental?: { [name: string]: JSONObject };
  /** By extension id, like `com.example/thing`; an empty object has no settings. */
  extensions?: { [id: string]: JSONObject };
  roots?: JsonObject;
  sampling?: { context?: JSONObject; tools?: JSONObject };
  /** Neither named means `form`. */
  elicitation?: { form?: JSONObject; url?: JSONObject };
}

export interface ServerCapabilities {
  experimental?: { [name: string]: JSONObject };
  /** By extension id, like `com.example/thing`; an empty object has no settings. */
  extensions?: { [id: string]: JSONObject };
  logging?: JSONObject;
  completions?: JSONObject;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
}

export type DiscoverRequest = Call<'server/discover', RequestParams>;

export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  /** How to use the server, in words for a model. */
  instructions?: string;
}

export type DiscoverResultResponse = Reply<DiscoverResult>;
