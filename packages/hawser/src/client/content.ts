import { fromBase64 } from '../base/base64.ts';
import { InvalidResponseError } from '../base/errors.ts';
import type {
  AudioContent,
  ContentBlock,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
} from '../model/types.ts';

/** All text blocks, joined by line feeds. A block without its text, as some servers send, adds nothing. */
export function textOf(content: readonly ContentBlock[]): string {
  return content
    .filter((block): block is TextContent => block.type === 'text' && typeof block.text === 'string')
    .map((block) => block.text)
    .join('\n');
}

export function imagesOf(content: readonly ContentBlock[]): ImageContent[] {
  return content.filter((block) => block.type === 'image');
}

export function audioOf(content: readonly ContentBlock[]): AudioContent[] {
  return content.filter((block) => block.type === 'audio');
}

export function linksOf(content: readonly ContentBlock[]): ResourceLink[] {
  return content.filter((block) => block.type === 'resource_link');
}

/** Contents of resources that came within a result. */
export function embeddedIn(content: readonly ContentBlock[]): ResourceContent[] {
  return content
    .filter((block) => block.type === 'resource')
    .filter(({ resource }) => typeof resource === 'object' && resource !== null)
    .map(({ resource }) => new ResourceContent(resource));
}

/** A content of a resource: text, or bytes. */
export class ResourceContent {
  readonly uri: string;
  readonly mimeType: string | undefined;
  /** The text; undefined for a binary content. */
  readonly text: string | undefined;
  /** The bytes in base64, as they came; undefined for text. */
  readonly blob: string | undefined;
  /** The content as it came. */
  readonly raw: ResourceContents;

  /** @internal */
  constructor(raw: ResourceContents) {
    const { uri, mimeType, text, blob } = raw as Partial<ResourceContents> & { text?: unknown; blob?: unknown };
    this.uri = typeof uri === 'string' ? uri : '';
    this.mimeType = typeof mimeType === 'string' ? mimeType : undefined;
    this.text = typeof text === 'string' ? text : undefined;
    this.blob = this.text === undefined && typeof blob === 'string' ? blob : undefined;
    this.raw = raw;
  }

  get isText(): boolean {
    return this.text !== undefined;
  }

  get isBinary(): boolean {
    return this.blob !== undefined;
  }

  /** The bytes; of a text those of UTF-8. Decoded anew each time. @throws InvalidResponseError when it is not base64 */
  get bytes(): Uint8Array {
    return this.text === undefined ? decodeBase64(this.blob ?? '') : new TextEncoder().encode(this.text);
  }
}

/**
 * The bytes that base64 text of a server stands for: `data` of an image or of audio.
 *
 * @throws InvalidResponseError when it is not base64
 */
export function decodeBase64(text: string): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes === undefined)
    throw new InvalidResponseError(`binary content that is not base64 (${text.length} characters)`);
  return bytes;
}
