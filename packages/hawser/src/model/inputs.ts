/** What a server may ask of a client: a person's answer, the client's model, its roots. */
import type { Json, JsonObject } from '../base/json.ts';
import type { AudioContent, ContentBlock, ImageContent, JsonSchema, LogLevel, TextContent, Tool } from './types.ts';

/** Asks a person to fill in a flat form. Without `mode` a question is a form. */
export interface ElicitFormParams {
  mode?: 'form';
  message: string;
  /** An object of text, numbers, booleans and choices; nothing nested. */
  requestedSchema: JsonSchema;
  _meta?: JsonObject;
}

/** Asks a person to go to an address, for what must not pass through the client. */
export interface ElicitUrlParams {
  mode: 'url';
  message: string;
  url: string;
  /** 2025-11-25 only. */
  elicitationId?: string;
  _meta?: JsonObject;
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams;

/** What a person did with a question. Content only comes with an accepted form. */
export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
  _meta?: JsonObject;
}

/** The model wants to call a tool. */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: JsonObject;
  _meta?: JsonObject;
  [name: string]: unknown;
}

/** What the tool gave. */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: Json;
  isError?: boolean;
  _meta?: JsonObject;
  [name: string]: unknown;
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message of a conversation with a model. */
export interface SamplingMessage {
  role: 'user' | 'assistant';
  content: SamplingContent | SamplingContent[];
  _meta?: JsonObject;
}

/** Which model a server would like; all of it advice. Priorities are between 0 and 1. */
export interface ModelPreferences {
  hints?: { name?: string }[];
  costPriority?: number;
  speedPriority?: number;
  intelligencePriority?: number;
}

/** Asks the client's model to go on with a conversation. */
export interface CreateMessageParams {
  messages: SamplingMessage[];
  maxTokens: number;
  modelPreferences?: ModelPreferences;
  systemPrompt?: string;
  includeContext?: 'none' | 'thisServer' | 'allServers';
  temperature?: number;
  stopSequences?: string[];
  metadata?: JsonObject;
  tools?: Tool[];
  toolChoice?: { mode?: 'auto' | 'required' | 'none' };
  _meta?: JsonObject;
}

/** What the model said. */
export interface CreateMessageResult {
  role: 'user' | 'assistant';
  content: SamplingContent | SamplingContent[];
  model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the provider's. */
  stopReason?: string;
  _meta?: JsonObject;
}

/** A place a server may work in; `uri` is a `file:` URI. Advice, not a fence. */
export interface Root {
  uri: string;
  name?: string;
  _meta?: JsonObject;
}

export interface ListRootsResult {
  roots: Root[];
  _meta?: JsonObject;
}

/** One thing a server needs to go on. */
export type InputRequest =
  | { method: 'elicitation/create'; params: ElicitParams }
  | { method: 'sampling/createMessage'; params: CreateMessageParams }
  | { method: 'roots/list'; params?: { _meta?: JsonObject } };

/** What answers it: the bare result of that method. */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/** A result that is not final: the request is sent again with the answers (2026-07-28 basic/patterns/mrtr). */
export interface InputRequiredResult {
  inputRequests?: Record<string, InputRequest>;
  /** Opaque to everybody but the server that wrote it. */
  requestState?: string;
  _meta?: JsonObject;
}

/** A line of a server's log (server/utilities/logging). */
export interface LogMessage {
  level: LogLevel;
  /** Which part of the server speaks. */
  logger?: string;
  /** Any JSON value. */
  data: unknown;
}
