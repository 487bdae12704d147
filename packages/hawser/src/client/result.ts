import type { JsonObject } from '../base/json.ts';
import type { CallToolResult, ContentBlock } from '../model/types.ts';

/** What a tool gave back. That the tool failed is a value (`isError`), not an error thrown. */
export class ToolResult {
  readonly content: readonly ContentBlock[];
  /** The tool failed; {@link text} says how. */
  readonly isError: boolean;
  /** Structured content, any JSON value; undefined when there is none. */
  readonly structured: unknown;
  /** The result as it came. */
  readonly raw: JsonObject;
  /** The request was sent a second time because the first response stream broke: the tool may have run twice. */
  readonly reissued: boolean;

  /** @internal */
  constructor(result: CallToolResult, raw: JsonObject, reissued: boolean) {
    this.content = result.content;
    this.isError = result.isError === true;
    this.structured = result.structuredContent;
    this.raw = raw;
    this.reissued = reissued;
  }

  /** All text blocks, joined by line feeds. */
  get text(): string {
    return this.content
      .filter((block) => block.type === 'text')
      .map((block) => block.text)
      .join('\n');
  }
}
