/**
 * A text walked along by the pieces of a template. There is no backtracking: the work is bounded by the length of the
 * text times the number of pieces.
 */

/** Counts what a match costs, in characters looked at. */
export interface Meter {
  steps: number;
}

export type Token = Literal | Value;

interface Literal {
  readonly text: string;
}

interface Value {
  readonly name: string;
  /** What stands before the value. */
  readonly before: string;
  /** What may stand in place of `before`, with no value at all (`;x`). */
  readonly alone: string | undefined;
  /** What no value contains. */
  readonly without: string;
  /** An exploded list: what its items are separated by. */
  readonly items: string | undefined;
  /** The token to go on with when there is no value; undefined: there has to be one. */
  readonly absent: number | undefined;
}

/** Whether the tokens make up the whole of the text, and with which values. */
export function walk(all: readonly Token[], text: string, values: Map<string, string>, meter: Meter): boolean {
  const [first] = all;
  // Most URIs are of another kind from the first character on.
  if (first !== undefined && 'text' in first && !text.startsWith(first.text)) return false;
  // Backwards: from which places on can the rest be matched? Then forwards, along those.
  let after: Uint8Array = new Uint8Array(text.length + 1);
  after[text.length] = 1;
  const ways: Uint8Array[] = [after];
  for (let at = all.length - 1; at >= 0; at--) {
    const token = all[at] as Token;
    const skipped = 'text' in token || token.absent === undefined ? undefined : ways[all.length - token.absent];
    after = 'text' in token ? literalWays(token.text, text, after) : valueWays(token, text, after, skipped);
    meter.steps += text.length + 1;
    ways.push(after);
  }
  if (after[0] !== 1) return false;
  let at = 0;
  for (let index = 0; index < all.length;) {
    const token = all[index] as Token;
    const next = ways[all.length - index - 1] as Uint8Array;
    if ('text' in token) at += token.text.length;
    else {
      const end = valueEnd(token, text, at, next, meter);
      if (end === undefined) {
        index = token.absent as number;
        continue;
      }
      const start = Math.min(end, at + token.before.length);
      const value = decode(text.slice(start, end), token.items);
      if (value === undefined) return false;
      values.set(token.name, value);
      at = end;
    }
    index++;
  }
  return true;
}

/** Where the literal stands with the rest behind it. Knuth, Morris and Pratt: no text makes it look twice. */
function literalWays(literal: string, text: string, after: Uint8Array): Uint8Array {
  const ways = new Uint8Array(text.length + 1);
  const back = new Int32Array(literal.length);
  for (let at = 1, matched = 0; at < literal.length; at++) {
    while (matched > 0 && literal.charCodeAt(at) !== literal.charCodeAt(matched)) matched = back[matched - 1] as number;
    if (literal.charCodeAt(at) === literal.charCodeAt(matched)) matched++;
    back[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== literal.charCodeAt(matched)) matched = back[matched - 1] as number;
    if (text.charCodeAt(at) === literal.charCodeAt(matched)) matched++;
    if (matched < literal.length) continue;
    ways[at + 1 - matched] = after[at + 1] as number;
    matched = back[matched - 1] as number;
  }
  return ways;
}

function valueWays(value: Value, text: string, after: Uint8Array, skipped: Uint8Array | undefined): Uint8Array {
  const { before, alone } = value;
  const { length } = text;
  const ways = new Uint8Array(length + 1);
  /** From where on some characters of a value, or none, lead to a way for the rest. */
  const inside = new Uint8Array(length + 2);
  for (let at = length; at >= 0; at--) {
    if (after[at] === 1 || (inside[at + 1] === 1 && takes(value, text, at))) inside[at] = 1;
  }
  const least = leastOf(value);
  for (let at = 0; at <= length; at++) {
    const start = at + before.length;
    const begins = start <= length && (before === '' || text.startsWith(before, at));
    const given = begins && (least === 0 ? inside[start] === 1 : inside[start + 1] === 1 && takes(value, text, start));
    const bare = alone !== undefined && after[at + alone.length] === 1 && text.startsWith(alone, at);
    if (given || bare || skipped?.[at] === 1) ways[at] = 1;
  }
  return ways;
}

/** Whether the character is one that the value may contain; there is none past the end. */
function takes({ without }: Value, text: string, at: number): boolean {
  if (at >= text.length) return false;
  const code = text.charCodeAt(at);
  // All delimiters are below `@`, most characters are not.
  return code > 63 || !without.includes(String.fromCharCode(code));
}

/** Values that have something before them may be empty: what is before them shows that they are there. */
const leastOf = ({ before }: Value): 0 | 1 => (before === '' || before === ',' ? 1 : 0);

/** The end of the longest value that leaves the rest a way; undefined when there is no value here. */
function valueEnd(value: Value, text: string, at: number, after: Uint8Array, meter: Meter): number | undefined {
  let found: number | undefined;
  const { before, alone } = value;
  if (text.startsWith(before, at)) {
    const start = at + before.length;
    for (let end = start; end <= text.length; end++) {
      meter.steps++;
      if (end - start >= leastOf(value) && after[end] === 1) found = end;
      if (!takes(value, text, end)) break;
    }
  }
  if (found !== undefined || alone === undefined || !text.startsWith(alone, at)) return found;
  return after[at + alone.length] === 1 ? at + alone.length : undefined;
}

/** The value in a text; undefined when it cannot be decoded. @param items what a list of them is separated by */
export function decode(text: string, items: string | undefined): string | undefined {
  try {
    if (items === undefined) return decodeURIComponent(text);
    return text.split(items).map(decodeURIComponent).join(items);
  } catch {
    return undefined;
  }
}
