/** Messages on a pipe: one JSON text per line (basic/transports/stdio). Bytes in, lines out, no I/O. */

/** What a {@link LineSplitter} finds. */
export interface LineSink {
  /** A complete line without its end; never blank. */
  line(text: string): void;
  /** A line past the limit was dropped; `head` is how it began. The next line is read as usual. */
  oversize(head: string): void;
}

const newline = 10;
const carriageReturn = 13;
const headBytes = 256;

/**
 * Cuts a stream of bytes into lines. Chunks may be cut anywhere, inside a character too: text is decoded per
 * complete line. Pieces of a long line are kept and joined once, so the work stays linear in the bytes.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  readonly #decode: (bytes: Uint8Array) => string;
  #pieces: Uint8Array[] = [];
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
    if (at < chunk.length) this.#keep(at === 0 ? chunk : chunk.subarray(at));
  }

  #keep(piece: Uint8Array): void {
    if (this.#dropping) return;
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size > this.#maxLineBytes) this.#drop();
  }

  #drop(): void {
    this.#dropping = true;
    const head = this.#decode(this.#join().subarray(0, headBytes));
    this.#pieces = [];
    this.#sink.oversize(head);
  }

  #endLine(last: Uint8Array): void {
    if (this.#dropping) {
      this.#dropping = false;
      this.#size = 0;
      return;
    }
    let line = last;
    if (this.#pieces.length > 0 || last.length > this.#maxLineBytes) {
      this.#keep(last);
      if (this.#dropping) return this.#endLine(last);
      line = this.#join();
      this.#pieces = [];
    }
    this.#size = 0;
    if (line.at(-1) === carriageReturn) line = line.subarray(0, -1);
    if (isBlank(line)) return;
    this.#sink.line(this.#decode(line));
  }

  #join(): Uint8Array {
    if (this.#pieces.length === 1) return this.#pieces[0] as Uint8Array;
    const joined = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 32 && byte !== 9) return false;
  return true;
}

const decoder = new TextDecoder();

function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
