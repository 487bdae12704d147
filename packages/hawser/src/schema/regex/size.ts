/** How large a regular expression is when its counts are written out. */
import { PatternError, type CharacterSet, type Expression } from './expression.ts';

/** Most times that a part is repeated by counts, those of repetitions within it included. */
export const maxCount = 1_000;
/** Most that one expression may come to, in instructions. */
export const maxSize = 5_000;

/** The table of a property is as large as this many instructions, about. */
const propertySize = 90;
const rangesPerInstruction = 8;

/**
 * How many instructions an expression comes to, at most, and what else needs as much memory and time to compile.
 *
 * @throws PatternError `too_large`, when it is more than allowed
 */
export function sizeOf(expression: Expression): number {
  checkCounts(expression, maxCount);
  const size = instructions(expression) + tables(expression);
  if (size > maxSize) throw new PatternError('too_large', `it comes to more than ${maxSize} instructions`);
  return size;
}

function checkCounts(expression: Expression, most: number): void {
  if (expression.kind === 'repeat') {
    const count = expression.max === Infinity ? expression.min : expression.max;
    if (count > most) throw new PatternError('too_large', `it repeats more than ${maxCount} times by counts`);
    checkCounts(expression.item, count > 0 ? Math.floor(most / count) : most);
  } else if ('items' in expression) {
    for (const item of expression.items) checkCounts(item, most);
  }
}

function instructions(expression: Expression): number {
  if (expression.kind === 'repeat') {
    const { item, min, max } = expression;
    const size = instructions(item);
    return max === Infinity ? Math.max(min, 1) * size + 2 : min * size + (max - min) * (size + 1) + 1;
  }
  if ('items' in expression) return expression.items.reduce((sum, item) => sum + instructions(item) + 1, 0);
  return 1;
}

/** What the sets of characters take: those that are repeated share them. */
function tables(expression: Expression): number {
  if (expression.kind === 'repeat') return tables(expression.item);
  if ('items' in expression) return expression.items.reduce((sum, item) => sum + tables(item), 0);
  return expression.kind === 'set' ? tableSize(expression.set) : 0;
}

function tableSize({ ranges, properties }: CharacterSet): number {
  return Math.floor(ranges.length / rangesPerInstruction) + properties.length * propertySize;
}
