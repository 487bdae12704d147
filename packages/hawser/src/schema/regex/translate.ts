/** Writes regular expressions in the syntax of RE2, with ASCII characters only. */
import type { CharacterSet, Expression, Place } from './expression.ts';
import { lastCodePoint } from './sets.ts';

const places: Record<Place, string> = { start: '^', end: '\\z', edge: '\\b', 'no edge': '\\B' };

/** Writes a valid expression. */
export function translate(expression: Expression): string {
  switch (expression.kind) {
    case 'set':
      return writeSet(expression.set);
    case 'place':
      return places[expression.place];
    case 'sequence':
      return expression.items.map((item) => (item.kind === 'choice' ? group(item) : translate(item))).join('');
    case 'choice':
      return expression.items.map(translate).join('|');
    case 'repeat':
      return writeRepeat(expression.item, expression.min, expression.max);
  }
}

function group(item: Expression): string {
  return `(?:${translate(item)})`;
}

function writeRepeat(item: Expression, min: number, max: number): string {
  const repeated = item.kind === 'set' ? translate(item) : group(item);
  if (min === 0 && max === Infinity) return `${repeated}*`;
  if (max === Infinity) return min === 1 ? `${repeated}+` : `${repeated}{${min},}`;
  return `${repeated}{${min},${max}}`;
}

function writeSet({ isNegated, ranges, properties }: CharacterSet): string {
  const [range] = ranges;
  const isOne = range !== undefined && ranges.length === 1 && properties.length === 0 && range[0] === range[1];
  if (isOne && !isNegated) return code(range[0]);
  const parts = ranges.map(([first, last]) => (first === last ? code(first) : `${code(first)}-${code(last)}`));
  for (const { name, isNegated: isOther } of properties) parts.push(`\\${isOther ? 'P' : 'p'}{${name}}`);
  // An empty class is no syntax of RE2.
  if (parts.length === 0) return `[${isNegated ? '' : '^'}${code(0)}-${code(lastCodePoint)}]`;
  return `[${isNegated ? '^' : ''}${parts.join('')}]`;
}

function code(character: number): string {
  const isPlain = /^[0-9A-Za-z]$/.test(String.fromCodePoint(character));
  return isPlain ? String.fromCodePoint(character) : `\\x{${character.toString(16)}}`;
}
