import type { JsonObject } from '../base/json.ts';
import type { AudioContent, CallToolResult, ContentBlock, ImageContent, ResourceLink } from '../model/types.ts';
import { audioOf, embeddedIn, imagesOf, linksOf, textOf, type ResourceContent } from './content.ts';

/** What a tool gave back. That the tool failed is a value (`isError`), not an error thrown. */
export class ToolResult {
  /** All blocks, in order and as they came, those of a type that is not known too. */
  readonly content: readonly ContentBlock[];
  /** The tool failed; {@link text} says how. */
  readonly isError: boolean;
  /** Structured content, any JSON value; undefined when there is none. */
  readonly structured: unknown;
  /** The result as it came. */
  readonly raw: JsonObject;
  /** The request was sent a second time because the first response stream broke: the tool may have run twice. */
  readonly reissued: boolean;
  /** How often the server asked for input, or for patience, before it gave the result. */
  readonly rounds: number;

  /** @internal */
  constructor(result: CallToolResult, raw: JsonObject, reissued: boolean, rounds: number) {
    this.content = result.content;
    this.isError = result.isError === true;
    this.structured = result.structuredContent;
    this.raw = raw;
    this.reissued = reissued;
    this.rounds = rounds;
  }

  /** All text blocks, joined by line feeds. */
  get text(): string {
    return textOf(this.content);
  }

  /** The images; `data` is base64, see `decodeBase64`. */
  get images(): ImageContent[] {
    return imagesOf(this.content);
  }

  /** The audio; `data` is base64, see `decodeBase64`. */
  get audio(): AudioContent[] {
    return audioOf(this.content);
  }

  /** Links to resources; nothing is fetched. */
  get links(): ResourceLink[] {
    return linksOf(this.content);
  }

  /** Contents of resources that are part of the result. */
  get resources(): ResourceContent[] {
    return embeddedIn(this.content);
  }
}
