/** Why a text is not JSON, and where. It never quotes the text: configuration holds secrets. */
export class JsoncError extends Error {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;

  constructor(reason: string, text: string, at: number) {
    super(reason);
    const before = text.slice(0, at);
    this.line = before.split('\n').length;
    this.column = at - before.lastIndexOf('\n');
  }
}

const maxDepth = 64;

/**
 * Parses JSON as people write it in configuration files: with comments, commas before a closing bracket and a byte
 * order mark. Nested in at most 64 levels; of keys that repeat the last one counts, as in JSON.
 *
 * @throws JsoncError
 */
export function parseJsonc(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

const literals: readonly (readonly [RegExp, unknown])[] = [
  [/true(?![\w$])/y, true],
  [/false(?![\w$])/y, false],
  [/null(?![\w$])/y, null],
];

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\uFEFF')) this.#at = 1;
  }

  value(depth: number): unknown {
    if (depth > maxDepth) throw this.#error(`it is nested deeper than ${maxDepth} levels`);
    this.#skip();
    const c = this.#text[this.#at];
    if (c === '{') return this.#object(depth);
    if (c === '[') return this.#array(depth);
    if (c === '"') return this.#string();
    for (const [word, value] of literals) if (this.#take(word) !== undefined) return value;
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y);
    if (number !== undefined) return Number(number);
    throw this.#error(c === undefined ? 'it ends too early' : 'a value is expected');
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#error('something follows the end');
  }

  #object(depth: number): unknown {
    const entries: [string, unknown][] = [];
    this.#at++;
    while (!this.#closes('}')) {
      if (this.#text[this.#at] !== '"') throw this.#error('a key in double quotes is expected');
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#error('a colon is expected');
      this.#at++;
      entries.push([key, this.value(depth + 1)]);
      this.#comma('}');
    }
    // Not by assignment: a key may be `__proto__`.
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown {
    const values: unknown[] = [];
    this.#at++;
    while (!this.#closes(']')) {
      values.push(this.value(depth + 1));
      this.#comma(']');
    }
    return values;
  }

  #closes(bracket: string): boolean {
    this.#skip();
    if (this.#at >= this.#text.length) throw this.#error(`it ends before a closing ${bracket}`);
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  #comma(bracket: string): void {
    this.#skip();
    const c = this.#text[this.#at];
    if (c === ',') this.#at++;
    else if (c !== undefined && c !== bracket) throw this.#error(`a comma or ${bracket} is expected`);
  }

  #string(): string {
    const start = this.#at;
    // One way through only: no text makes this slow.
    const raw = this.#take(/"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y);
    if (raw === undefined) throw this.#error('a text is not closed on its line');
    try {
      return JSON.parse(raw) as string;
    } catch {
      this.#at = start;
      throw this.#error('a text holds an escape or a character that JSON does not allow');
    }
  }

  /** White space and comments. */
  #skip(): void {
    for (;;) {
      this.#take(/[\t\n\r ]+/y);
      if (this.#text.startsWith('//', this.#at)) this.#take(/[^\n]*/y);
      else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end === -1) throw this.#error('a comment is not closed');
        this.#at = end + 2;
      } else return;
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0];
    this.#at += taken?.length ?? 0;
    return taken;
  }

  #error(reason: string): JsoncError {
    return new JsoncError(reason, this.#text, this.#at);
  }
}
