// Lifecycle: the handshake and capabilities.

import type { JsonObject } from '../../../base/json.ts';
import type * as Elder from '../../2025-06-18/types.ts';
import type { BareNote, Call, Icons, RequestParams } from './base.ts';

export interface Implementation extends Elder.Implementation, Icons {
  description?: string;
  websiteUrl?: string;
}

export interface ClientCapabilities extends Elder.ClientCapabilities {
  sampling?: { context?: JsonObject; tools?: JsonObject };
  /** Neither named means `form`. */
  elicitation?: { form?: JsonObject; url?: JsonObject };
  tasks?: {
    list?: JsonObject;
    cancel?: JsonObject;
    /** Which requests the client runs as tasks. */
    requests?: { sampling?: { createMessage?: JsonObject }; elicitation?: { create?: JsonObject } };
  };
}

export interface ServerCapabilities extends Elder.ServerCapabilities {
  tasks?: {
    list?: JsonObject;
    cancel?: JsonObject;
    /** Which requests the server runs as tasks. */
    requests?: { tools?: { call?: JsonObject } };
  };
}

export interface InitializeRequestParams extends RequestParams {
  /** The newest revision that the client speaks. */
  protocolVersion: string;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
}

export type InitializeRequest = Call<'initialize', InitializeRequestParams>;

export interface InitializeResult extends Elder.InitializeResult {
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
}

export type InitializedNotification = BareNote<'notifications/initialized'>;
