/**
 * Text of a peer on its way to a terminal. A terminal obeys escape sequences, so control characters are made visible
 * here and nowhere let through.
 */

// Controls, line and paragraph separators, bidirectional overrides and isolates, and the invisible tag characters.
const unsafe = /[\p{Cc}\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\r') return '\\r';
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** The text with control characters and invisible direction marks spelled out; tabs and newlines stay. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, (c) => (c === '\n' || c === '\t' ? c : shown(c)));
}

/** The same on one line: line breaks and runs of blanks become one blank. */
export function oneLine(text: string): string {
  return visible(text.replace(/[\s\u2028\u2029]+/g, ' ').trim());
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const none = /[\p{M}\u200b-\u200d\ufeff]/u;

/** How many columns a text takes on most terminals: two for wide characters, none for combining ones. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text) sum += columnsOf(character);
  return sum;
}

function columnsOf(character: string): number {
  if (character < '\u0300') return 1;
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** At most `max` columns, with an ellipsis for what is cut off. */
export function clip(text: string, max: number): string {
  let sum = 0;
  let kept = '';
  let keptWithEllipsis = '';
  for (const character of text) {
    sum += columnsOf(character);
    if (sum > max) return `${keptWithEllipsis}…`;
    kept += character;
    if (sum < max) keptWithEllipsis = kept;
  }
  return text;
}

/** A name or the like within a message: on one line, at most 60 columns. */
export function short(text: string): string {
  return clip(oneLine(text), 60);
}

/** Breaks text at blanks so that no line is longer than `width` columns, unless one word is. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && columns(line) + 1 + columns(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

/** JSON whose text is safe to print: what {@link visible} spells out is written as `\u…`, so the value is the same. */
export function printableJson(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, undefined, indent) ?? 'null';
  return json.replace(unsafe, (c) =>
    c === '\n'
      ? c
      : Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** A number of bytes for people: `512 B`, `3.4 kB`, `2.0 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `word` for one, `words` otherwise, with the number before it. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
