/**
 * URIs taken apart by a template, the reverse of RFC 6570. It has no rule for that; ours is in {@link Matcher}. There
 * is no backtracking: the work is bounded by the length of the URI times the number of parts of the template.
 */
import { ArgumentError } from '../base/errors.ts';
import type { Expression, Part, Variable } from './uri-template-parse.ts';
import { encodeLiteral } from './uri-template-expand.ts';
import { maxUriLength } from './uri.ts';

/** Counts what a match costs, in characters looked at. */
export interface Meter {
  steps: number;
}

type Token = Literal | Value;

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

/** Parameters of a query, in any order. */
interface Query {
  readonly start: '?' | '&';
  /** How many of `start` the part before the query has of its own. */
  readonly skip: number;
  readonly exploded: ReadonlyMap<string, boolean>;
}

/**
 * - `{x}` takes a character or more, none of them `/`, `?` or `#`; `{+x}` takes anything.
 * - `{/x}`, `{.x}`, `{;x}`, `{#x}`, `{?x}` and `{&x}` may be absent as a whole.
 * - Where a URI can be read in several ways, the first variables take as much as they can: `{name}.{ext}` reads
 *   `a.tar.gz` as `a.tar` and `gz`.
 * - Parameters of a query may come in any order; one that the template does not name matches nothing.
 * - A list (`{/x*}`) becomes one string, its items joined by `/` or `.` where these separate them, else by `,`.
 * - The text between is compared as it stands in a URI: `ü` in the template or the URI is `%C3%BC`.
 * - Values are percent-decoded; what cannot be decoded matches nothing.
 */
export class Matcher {
  readonly #head: readonly Token[];
  readonly #query: Query | undefined;
  readonly #tail: readonly Token[];

  /** @throws ArgumentError for a template whose values cannot be told apart */
  constructor(template: string, read: readonly Part[]) {
    const parts = read.map((part) => (typeof part === 'string' ? encodeLiteral(part) : part));
    const refuse = (problem: string): ArgumentError =>
      new ArgumentError(`URIs cannot be matched by the template "${template.slice(0, 200)}": ${problem}`);
    refuseTwins(parts, refuse);
    const first = parts.findIndex(isQuery);
    if (first < 0) {
      this.#head = tokens(parts, refuse);
      this.#tail = [];
      return;
    }
    const rest = parts.slice(first);
    const length = rest.findIndex((part) => !isQuery(part));
    const query = (length < 0 ? rest : rest.slice(0, length)) as Expression[];
    const tail = length < 0 ? [] : rest.slice(length);
    if (tail.length > 0 && !startsFragment(tail[0] as Part)) throw refuse('after a query only a fragment may follow');
    this.#head = tokens(parts.slice(0, first), refuse);
    this.#tail = tokens(tail, refuse);
    const start = (query[0] as Expression).operator.sign as '?' | '&';
    const literal = parts
      .slice(0, first)
      .filter((part) => typeof part === 'string')
      .join('');
    const variables = query.flatMap((expression) => expression.variables);
    this.#query = {
      start,
      skip: literal.split(start).length - 1,
      exploded: new Map(variables.map(({ name, explode }) => [name, explode])),
    };
  }

  /** The values of the variables; undefined when the URI is not of this kind. */
  match(uri: string, meter: Meter = { steps: 0 }): Record<string, string> | undefined {
    if (uri.length > maxUriLength) return undefined;
    const text = encodeForeign(uri);
    return text.length > maxUriLength ? undefined : this.#match(text, meter);
  }

  #match(uri: string, meter: Meter): Record<string, string> | undefined {
    const values = new Map<string, string>();
    const query = this.#query;
    if (query === undefined) return walk(this.#head, uri, values, meter) ? Object.fromEntries(values) : undefined;
    const hash = uri.indexOf('#');
    const main = hash < 0 ? uri : uri.slice(0, hash);
    const from = nth(main, query.start, query.skip);
    const matches =
      walk(this.#head, from < 0 ? main : main.slice(0, from), values, meter) &&
      (from < 0 || readQuery(query, main.slice(from + 1), values, meter)) &&
      walk(this.#tail, hash < 0 ? '' : uri.slice(hash), values, meter);
    return matches ? Object.fromEntries(values) : undefined;
  }
}

const isQuery = (part: Part): boolean =>
  typeof part !== 'string' && (part.operator.sign === '?' || part.operator.sign === '&');

const startsFragment = (part: Part): boolean =>
  typeof part === 'string' ? part.startsWith('#') : part.operator.sign === '#';

function refuseTwins(parts: readonly Part[], refuse: (problem: string) => Error): void {
  const seen = new Set<string>();
  parts.forEach((part, at) => {
    if (typeof part === 'string') return;
    for (const { name, prefix } of part.variables) {
      if (seen.has(name)) throw refuse(`"${name}" is in it twice`);
      if (prefix !== undefined) throw refuse(`{${name}:${prefix}} is a part of a value only`);
      seen.add(name);
    }
    const before = parts[at - 1];
    const { first } = part.operator;
    if (before !== undefined && typeof before !== 'string' && first === '')
      throw refuse(`nothing is between "${last(before).name}" and "${(part.variables[0] as Variable).name}"`);
  });
}

const last = ({ variables }: Expression): Variable => variables.at(-1) as Variable;

function tokens(parts: readonly Part[], refuse: (problem: string) => Error): Token[] {
  const made: Token[] = [];
  for (const part of parts) {
    if (typeof part === 'string') made.push({ text: part });
    else {
      const { operator, variables } = part;
      const end = made.length + variables.length;
      variables.forEach(({ name, explode }, index) => {
        if (explode && operator.named) throw refuse(`a list in {${operator.sign}${name}*} has no end`);
        const lead = index === 0 ? operator.first : operator.separator;
        const given = operator.first === '' ? undefined : operator.named ? made.length + 1 : end;
        made.push({
          name,
          before: operator.named ? `${lead}${name}=` : lead,
          alone: operator.named ? `${lead}${name}` : undefined,
          without: (explode || variables.length === 1 ? '' : operator.separator) + kept(operator, explode),
          items: explode ? operator.separator : undefined,
          absent: given,
        });
      });
    }
  }
  return made;
}

/** What no value of such an expression contains. */
function kept({ sign, reserved }: Expression['operator'], explode: boolean): string {
  if (reserved) return '';
  if (sign === ';') return '/?#;';
  return explode && sign === '/' ? '?#' : '/?#';
}

/** Whether the tokens make up the whole of the text, and with which values. */
function walk(all: readonly Token[], text: string, values: Map<string, string>, meter: Meter): boolean {
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

function readQuery(query: Query, text: string, values: Map<string, string>, meter: Meter): boolean {
  for (const pair of text.split('&')) {
    meter.steps += pair.length + 1;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const exploded = query.exploded.get(name);
    if (exploded === undefined) return false;
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1), undefined);
    const earlier = values.get(name);
    if (value === undefined || (earlier !== undefined && !exploded)) return false;
    values.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return true;
}

/** Most URIs are ASCII already. What is encoded stays as it is, broken or not. */
function encodeForeign(uri: string): string {
  return uri.replaceAll(/[\u0080-\u{10ffff}]+/gu, encodeLiteral);
}

/** Where the character stands after `skip` others of its kind; -1: nowhere. */
function nth(text: string, char: string, skip: number): number {
  let at = text.indexOf(char);
  for (let left = skip; left > 0 && at >= 0; left--) at = text.indexOf(char, at + 1);
  return at;
}

function decode(text: string, items: string | undefined): string | undefined {
  try {
    if (items === undefined) return decodeURIComponent(text);
    return text.split(items).map(decodeURIComponent).join(items);
  } catch {
    return undefined;
  }
}
