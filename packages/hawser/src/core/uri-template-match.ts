/** URIs taken apart by a template: RFC 6570 the other way round, for which it has no rules. See `UriTemplate.match`. */
import { ArgumentError } from '../base/errors.ts';
import type { Expression, Part, Variable } from './uri-template-parse.ts';
import { encodeLiteral } from './uri-template-expand.ts';
import { decode, walk, type Meter, type Token } from './uri-template-walk.ts';
import { maxUriLength } from './uri.ts';

/** Parameters of a query, in any order. */
interface Query {
  readonly start: '?' | '&';
  /** How many of `start` the part before the query has of its own. */
  readonly skip: number;
  readonly exploded: ReadonlyMap<string, boolean>;
}

/** A template made ready for URIs. What cannot be percent-decoded matches nothing. */
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
    else made.push(...valuesOf(part, made.length, refuse));
  }
  return made;
}

/** @param from the place of the first of them among all tokens */
function valuesOf({ operator, variables }: Expression, from: number, refuse: (problem: string) => Error): Token[] {
  const { sign, first, separator, named } = operator;
  const end = from + variables.length;
  return variables.map(({ name, explode }, index) => {
    if (explode && named) throw refuse(`a list in {${sign}${name}*} has no end`);
    const lead = index === 0 ? first : separator;
    const next = named ? from + index + 1 : end;
    return {
      name,
      before: named ? `${lead}${name}=` : lead,
      alone: named ? `${lead}${name}` : undefined,
      without: (explode || variables.length === 1 ? '' : separator) + kept(operator, explode),
      items: explode ? separator : undefined,
      absent: first === '' ? undefined : next,
    };
  });
}

/** What no value of such an expression contains. */
function kept({ sign, reserved }: Expression['operator'], explode: boolean): string {
  if (reserved) return '';
  if (sign === ';') return '/?#;';
  return explode && sign === '/' ? '?#' : '/?#';
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
