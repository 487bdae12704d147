/** Messages on a pipe: one JSON text per line (basic/transports/stdio). Bytes in, lines out, no I/O. */

/** What a {@link LineSplitter} finds. */
export interface LineSink {
  /** A complete line without its end; never blank. */
  line(text: string): void;
  /** A line past the limit is dropped; `head` is how it began. The next line is read as usual. */
  oversize(head: string): void;
}

const newline = 10;
const carriageReturn = 13;
const headBytes = 256;
/** A buffer up to this size is kept for the next line. */
const keptBytes = 65_536;
const nothing = new Uint8Array(0);

/**
 * Cuts a stream of bytes into lines. Chunks may be cut anywhere, inside a character too: text is decoded per
 * complete line. A line that comes in pieces is gathered in one buffer that doubles, so the work stays linear in the
 * bytes, and the memory below twice the limit, however small the pieces are.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  readonly #decode: (bytes: Uint8Array) => string;
  /** The beginning of a line whose end has not come: the first `#size` bytes. */
  #held: Uint8Array = nothing;
  #size = 0;
  #dropping = false;

  /** @param decode UTF-8 to text; a platform's own may be quicker than the default `TextDecoder` */
  constructor(sink: LineSink, maxLineBytes: number, decode: (bytes: Uint8Array) => string = decodeUtf8) {
    this.#sink = sink;
    this.#maxLineBytes = maxLineBytes;
    this.#decode = decode;
  }

  feed(chunk: Uint8Array): void {
    let at = 0;
    for (let end; (end = chunk.indexOf(newline, at)) !== -1; at = end + 1) this.#endLine(chunk.subarray(at, end));
    if (at < chunk.length) this.#hold(chunk.subarray(at));
  }

  #hold(piece: Uint8Array): void {
    if (this.#dropping) return;
    const size = this.#size + piece.length;
    if (size > this.#maxLineBytes) return this.#drop(piece);
    if (size > this.#held.length) {
      const larger = new Uint8Array(Math.min(Math.max(size, 2 * this.#held.length, 1_024), this.#maxLineBytes));
      larger.set(this.#held.subarray(0, this.#size));
      this.#held = larger;
    }
    this.#held.set(piece, this.#size);
    this.#size = size;
  }

  #drop(piece: Uint8Array): void {
    const head = new Uint8Array(Math.min(headBytes, this.#size + piece.length));
    head.set(this.#held.subarray(0, Math.min(this.#size, head.length)));
    if (this.#size < head.length) head.set(piece.subarray(0, head.length - this.#size), this.#size);
    this.#dropping = true;
    this.#held = nothing;
    this.#size = 0;
    this.#sink.oversize(this.#decode(head));
  }

  #endLine(last: Uint8Array): void {
    if (this.#size === 0 && !this.#dropping && last.length <= this.#maxLineBytes) return this.#line(last);
    this.#hold(last);
    if (this.#dropping) {
      this.#dropping = false;
      return;
    }
    const line = this.#held.subarray(0, this.#size);
    this.#size = 0;
    if (this.#held.length > keptBytes) this.#held = nothing;
    this.#line(line);
  }

  #line(line: Uint8Array): void {
    const from = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0; // a byte order mark
    const to = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    const text = from === 0 && to === line.length ? line : line.subarray(from, to);
    if (!isBlank(text)) this.#sink.line(this.#decode(text));
  }
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 32 && byte !== 9 && byte !== carriageReturn) return false;
  return true;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
