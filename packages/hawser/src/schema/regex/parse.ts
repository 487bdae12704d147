/** Reads regular expressions of ECMA-262 with the flag `u` (22.2.1). */
import { PatternError, type Expression, type Property, type Range } from './expression.ts';
import { classRanges, notLineEnds, propertySet, rangesSet } from './sets.ts';

/** Most groups that are one within the other. */
const maxNesting = 250;

const controls = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
  ['0', 0],
]);

/**
 * Reads a valid regular expression. Of one that is not valid nothing is promised, but that it ends: see
 * {@link checkSyntax}.
 *
 * @throws PatternError when it has what is not known here
 */
export function parsePattern(source: string): Expression {
  return new PatternReader(source).read();
}

/**
 * Asks the platform whether a regular expression is valid: it is built, and never run. That may take a millisecond for
 * thirty properties of Unicode, so what is too large has to be refused before.
 *
 * @throws PatternError when it is not
 */
export function checkSyntax(source: string): void {
  try {
    void new RegExp(source, 'u');
  } catch (error) {
    throw new PatternError('invalid', error instanceof Error ? error.message : 'it is not valid');
  }
}

class PatternReader {
  readonly #source: string;
  #at = 0;
  #nesting = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Expression {
    const expression = this.#choice();
    if (this.#at < this.#source.length) throw this.#unknown();
    return expression;
  }

  #choice(): Expression {
    const items = [this.#sequence()];
    while (this.#take('|')) items.push(this.#sequence());
    return one(items, 'choice');
  }

  #sequence(): Expression {
    const items: Expression[] = [];
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) {
      items.push(this.#quantified(this.#term()));
    }
    return one(items, 'sequence');
  }

  #term(): Expression {
    if (this.#take('^')) return { kind: 'place', place: 'start' };
    if (this.#take('$')) return { kind: 'place', place: 'end' };
    if (this.#take('\\b')) return { kind: 'place', place: 'edge' };
    if (this.#take('\\B')) return { kind: 'place', place: 'no edge' };
    if (this.#take('.')) return { kind: 'set', set: notLineEnds };
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return this.#class();
    const set = this.#sees('\\') ? this.#setEscape() : undefined;
    if (set !== undefined) return { kind: 'set', set: { isNegated: false, ...set } };
    const character = this.#character();
    return { kind: 'set', set: rangesSet([[character, character]]) };
  }

  #group(): Expression {
    if (this.#take('?=') || this.#take('?!') || this.#take('?<=') || this.#take('?<!')) {
      throw new PatternError('unsupported', 'looking ahead or behind is not supported');
    }
    if (this.#take('?<')) this.#upTo('>');
    else if (!this.#take('?:') && this.#sees('?')) throw this.#unknown();
    if (++this.#nesting > maxNesting)
      throw new PatternError('too_large', `it has more than ${maxNesting} levels of groups`);
    const expression = this.#choice();
    this.#nesting--;
    if (!this.#take(')')) throw this.#unknown();
    return expression;
  }

  #quantified(item: Expression): Expression {
    const quantifier = this.#quantifier();
    if (quantifier === undefined) return item;
    const [min, max] = quantifier;
    // Lazy or not: it is found in the same texts.
    this.#take('?');
    return { kind: 'repeat', item, min, max };
  }

  #quantifier(): [min: number, max: number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (!this.#take('{')) return undefined;
    const [min, max] = this.#upTo('}').split(',');
    return [Number(min), max === undefined ? Number(min) : max === '' ? Infinity : Number(max)];
  }

  #class(): Expression {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    const properties: Property[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#source.length) throw this.#unknown();
      const set = this.#setEscape();
      if (set !== undefined) {
        ranges.push(...set.ranges);
        properties.push(...set.properties);
        continue;
      }
      const first = this.#classCharacter();
      const isRange = this.#sees('-') && this.#source[this.#at + 1] !== ']';
      if (isRange) this.#at++;
      ranges.push([first, isRange ? this.#classCharacter() : first]);
    }
    return { kind: 'set', set: { isNegated, ranges, properties } };
  }

  /** An escape that stands for a set, if the next is one. */
  #setEscape(): { ranges: readonly Range[]; properties: readonly Property[] } | undefined {
    const letter = this.#sees('\\') ? (this.#source[this.#at + 1] ?? '') : '';
    if (letter === 'p' || letter === 'P') {
      this.#at += 3;
      return propertySet(this.#upTo('}'), letter === 'P');
    }
    const ranges = classRanges(letter);
    if (ranges === undefined) return undefined;
    this.#at += 2;
    return { ranges, properties: [] };
  }

  #classCharacter(): number {
    if (this.#take('\\b')) return 0x08;
    if (this.#take('\\-')) return 0x2d;
    return this.#character();
  }

  /** One code point, as it is or escaped. */
  #character(): number {
    if (!this.#take('\\')) return this.#next();
    if (this.#take('u')) return this.#unicodeEscape();
    if (this.#take('x')) return this.#hex(2);
    if (this.#take('c')) return this.#next() % 32;
    const letter = this.#source[this.#at] ?? '';
    const isDigit = letter >= '1' && letter <= '9';
    if (isDigit || letter === 'k') throw new PatternError('unsupported', 'references to groups are not supported');
    const control = controls.get(letter);
    if (control === undefined && !'^$\\.*+?()[]{}|/'.includes(letter)) throw this.#unknown();
    const character = this.#next();
    return control ?? character;
  }

  #unicodeEscape(): number {
    if (this.#take('{')) return Number.parseInt(this.#upTo('}'), 16);
    const lead = this.#hex(4);
    const isLead = lead >= 0xd800 && lead <= 0xdbff;
    if (!isLead || !/^\\ud[c-f]/i.test(this.#source.slice(this.#at, this.#at + 4))) return lead;
    this.#at += 2;
    return (lead - 0xd800) * 0x400 + (this.#hex(4) - 0xdc00) + 0x10000;
  }

  #hex(length: number): number {
    const digits = this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
    return Number.parseInt(digits, 16);
  }

  #next(): number {
    const character = this.#source.codePointAt(this.#at);
    if (character === undefined) throw this.#unknown();
    this.#at += character > 0xffff ? 2 : 1;
    return character;
  }

  /** What stands before the end, which is passed. */
  #upTo(end: string): string {
    const until = this.#source.indexOf(end, this.#at);
    if (until < 0) throw this.#unknown();
    const text = this.#source.slice(this.#at, until);
    this.#at = until + 1;
    return text;
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  #unknown(): PatternError {
    return new PatternError('unsupported', `what stands at character ${this.#at + 1} is not supported`);
  }
}

function one(items: Expression[], kind: 'choice' | 'sequence'): Expression {
  const [first] = items;
  return first !== undefined && items.length === 1 ? first : { kind, items };
}
