/** Longest text that is hashed as a whole: of much longer ones V8 hashes nothing but the length, so they all collide. */
const pieceLength = 8_192;

/** A set of texts that takes long ones as quickly: it knows them by the numbers of their pieces. */
export class TextSet {
  readonly #short = new Set<string>();
  readonly #long = new Set<string>();
  readonly #pieces = new Map<string, number>();

  /** Takes a text in; false if it is there. */
  add(text: string): boolean {
    if (this.has(text)) return false;
    if (text.length <= pieceLength) this.#short.add(text);
    else {
      const pieces = piecesOf(text);
      for (const piece of pieces) if (!this.#pieces.has(piece)) this.#pieces.set(piece, this.#pieces.size);
      this.#long.add(this.#numbersOf(pieces));
    }
    return true;
  }

  has(text: string): boolean {
    if (text.length <= pieceLength) return this.#short.has(text);
    return this.#long.size > 0 && this.#long.has(this.#numbersOf(piecesOf(text)));
  }

  #numbersOf(pieces: readonly string[]): string {
    return pieces.map((piece) => this.#pieces.get(piece)).join();
  }
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(text.slice(at, at + pieceLength));
  return pieces;
}
