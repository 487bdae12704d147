/** How much of a regular expression is at work at one time. */
import type { Expression } from './expression.ts';

/**
 * The most instructions that a search looks at for one character. For most expressions that is all of them. But of one
 * that has to begin at the start of the text, and in which one character may be repeated more or less often, as
 * `^[A-Z]{2}.{1,1000}$`, only one place is tried, and those after the repetition.
 *
 * @param instructions how many it has
 */
export function widthOf(expression: Expression, instructions: number): number {
  const [start, ...items] = flat(expression);
  if (start?.kind !== 'place' || start.place !== 'start' || !items.every(isPlain)) return instructions;
  const varied = items.findIndex(varies);
  if (items.findLastIndex(varies) !== varied) return instructions;
  const places = items.filter(({ kind }) => kind === 'place').length;
  const after = varied < 0 ? 0 : items.slice(varied + 1).reduce((sum, item) => sum + count(item), 0);
  return Math.min(instructions, 2 * (places + after) + 6);
}

function flat(expression: Expression): Expression[] {
  return expression.kind === 'sequence' ? expression.items.flatMap(flat) : [expression];
}

/** Whether it is a place or a character, or one character repeated. */
function isPlain(item: Expression): boolean {
  return item.kind === 'place' || item.kind === 'set' || (item.kind === 'repeat' && item.item.kind === 'set');
}

function varies(item: Expression): boolean {
  return item.kind === 'repeat' && item.min !== item.max;
}

function count(item: Expression): number {
  return item.kind === 'repeat' ? item.min : 1;
}
