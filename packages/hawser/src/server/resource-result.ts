import { isBase64, toBase64 } from '../base/base64.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { CacheHints, ResourceContents } from '../model/types.ts';
import { areHints } from './definitions.ts';

/** One content in short: text, or bytes. A string as `blob` is base64. */
export type ResourceOutput = { mimeType?: string; _meta?: JsonObject } & (
  | { text: string }
  | { blob: Uint8Array | string }
);

/** What reading a resource may give back. `undefined` and `null` say that there is no such resource. */
export type ResourceReturn =
  | string
  | Uint8Array
  | ResourceOutput
  | readonly ResourceContents[]
  | { contents: readonly ResourceContents[]; cache?: CacheHints; _meta?: JsonObject }
  | undefined
  | null;

/** What was read. */
export interface Read {
  contents: ResourceContents[];
  cache?: CacheHints;
  _meta?: JsonObject;
}

/** A handler's return value as contents; undefined when there is no such resource, or what is wrong with the value. */
export function toRead(value: unknown, uri: string, mimeType: string | undefined): Read | undefined | string {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string')
    return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), text: value }] };
  if (value instanceof Uint8Array) return one({ blob: value }, uri, mimeType);
  if (Array.isArray(value)) return all(value as unknown[], uri, mimeType);
  if (!isObject(value)) return 'a resource is text, bytes, or an object with them';
  if (value['contents'] === undefined) return one(value, uri, mimeType);
  if (!Array.isArray(value['contents'])) return 'contents is not an array';
  const read = all(value['contents'] as unknown[], uri, mimeType);
  const { cache, _meta } = value;
  if (typeof read === 'string') return read;
  if (cache !== undefined && !areHints(cache)) return 'cache is not { ttlMs, cacheScope }';
  return { ...read, ...(cache !== undefined && { cache }), ...(isObject(_meta) && { _meta }) };
}

function all(values: readonly unknown[], uri: string, mimeType: string | undefined): Read | string {
  const contents: ResourceContents[] = [];
  for (const value of values) {
    const content = isObject(value) ? toContent(value, uri, mimeType) : 'a content is an object';
    if (typeof content === 'string') return content;
    contents.push(content);
  }
  return { contents };
}

function one(value: JsonObject, uri: string, mimeType: string | undefined): Read | string {
  const content = toContent(value, uri, mimeType);
  return typeof content === 'string' ? content : { contents: [content] };
}

function toContent(value: JsonObject, uri: string, mimeType: string | undefined): ResourceContents | string {
  const { text, blob, _meta } = value;
  const type = value['mimeType'] ?? mimeType;
  const own = value['uri'] ?? uri;
  if (typeof own !== 'string') return 'the uri of a content is not a string';
  if (type !== undefined && typeof type !== 'string') return 'the mimeType of a content is not a string';
  const described = { uri: own, ...(type !== undefined && { mimeType: type }), ...(isObject(_meta) && { _meta }) };
  if (typeof text === 'string') return { ...described, text };
  if (blob instanceof Uint8Array) return { ...described, blob: toBase64(blob) };
  if (typeof blob !== 'string') return 'a content has neither text nor blob';
  return isBase64(blob) ? { ...described, blob } : 'the blob of a content is not base64';
}
