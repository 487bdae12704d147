import type { JsonObject } from '../base/json.ts';
import type { Annotations, Icon, ResourceContents } from './types.ts';

/** A resource as a server lists it. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  mimeType?: string;
  annotations?: Annotations;
  /** Bytes of the raw content. */
  size?: number;
  _meta?: JsonObject;
  [name: string]: unknown;
}

/** Resources of one kind, by a URI template (RFC 6570). */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  mimeType?: string;
  annotations?: Annotations;
  _meta?: JsonObject;
  [name: string]: unknown;
}

/** What reading a resource gives: often one content, for a directory several. */
export interface ReadResourceResult {
  contents: ResourceContents[];
  _meta?: JsonObject;
}
