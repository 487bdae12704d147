import type { Json, JsonObject } from '../base/json.ts';
import type { logLevels } from './log-levels.ts';

/** A protocol revision, newest last. Those before 2026-07-28 are legacy: they begin with `initialize`. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

/** `modern` is stateless, every request for itself (2026-07-28); `legacy` has a handshake and sessions. */
export type Era = 'modern' | 'legacy';

/** The id of a JSON-RPC request; `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** Names a request's progress notices; chosen by whoever sends the request. */
export type ProgressToken = string | number;

/** Severity of a log message (RFC 5424). */
export type LogLevel = (typeof logLevels)[number];

/** A picture for a name in a user interface. `src` is an `https:` or `data:` address and is not trusted. */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** Who a client or server says it is. Never a base for decisions. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** What a client can do for a server; an open set. */
export interface ClientCapabilities {
  experimental?: JsonObject;
  roots?: { listChanged?: boolean };
  sampling?: { context?: JsonObject; tools?: JsonObject };
  elicitation?: { form?: JsonObject; url?: JsonObject };
  extensions?: { [id: string]: JsonObject };
  [name: string]: unknown;
}

/** What a server offers; an open set. */
export interface ServerCapabilities {
  experimental?: JsonObject;
  logging?: JsonObject;
  completions?: JsonObject;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  extensions?: { [id: string]: JsonObject };
  [name: string]: unknown;
}

/** A JSON Schema, kept as it is. */
export type JsonSchema = JsonObject;

/**
 * A tool's own word on its behaviour; not trusted. Defaults: not read-only, destructive, not idempotent, open world.
 */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A tool as a server lists it. */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  _meta?: JsonObject;
  [name: string]: unknown;
}

/** For whom content is meant, and how much it matters. */
export interface Annotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

interface Block {
  annotations?: Annotations;
  _meta?: JsonObject;
  [name: string]: unknown;
}

export interface TextContent extends Block {
  type: 'text';
  text: string;
}

/** `data` is base64. */
export interface ImageContent extends Block {
  type: 'image';
  data: string;
  mimeType: string;
}

/** `data` is base64. */
export interface AudioContent extends Block {
  type: 'audio';
  data: string;
  mimeType: string;
}

export interface ResourceLink extends Block {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  icons?: Icon[];
}

/** `blob` is base64. */
export type ResourceContents = { uri: string; mimeType?: string; _meta?: JsonObject } & (
  | { text: string }
  | { blob: string }
);

export interface EmbeddedResource extends Block {
  type: 'resource';
  resource: ResourceContents;
}

/** One piece of what a tool gives back. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** What a tool gives back. `isError` means that the tool failed, not the protocol: the model can act on the text. */
export interface CallToolResult {
  content: ContentBlock[];
  /** Any JSON value, `null` too: absent and `null` differ. */
  structuredContent?: Json;
  isError?: boolean;
  _meta?: JsonObject;
}

/** Progress of a running request. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** Which changes a listener wants to hear of (MCP 2026-07-28, basic/patterns/subscriptions). */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
}

/** How long a result may be reused (milliseconds), and whether by other users. */
export interface CacheHints {
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

/** What a server says of itself, in either era. */
export interface ServerDescription {
  serverInfo?: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string;
}
