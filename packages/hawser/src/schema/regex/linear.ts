/** Regular expressions of strangers, matched in time linear in the text. */
import type { RE2JS } from 're2js';
import type { Pattern, Patterns } from '../patterns.ts';
import { PatternError } from './expression.ts';
import { checkSyntax, parsePattern } from './parse.ts';
import { sizeOf } from './size.ts';
import { translate } from './translate.ts';
import { widthOf } from './width.ts';

/** Longest expression that is looked at, whatever the bounds of the schema say. */
const maxLength = 10_000;
/** Most that all expressions of one schema may come to, in instructions. */
export const maxSizeTogether = 20_000;
/** What an expression costs whatever its size, as so many instructions. */
const ownSize = 10;

/**
 * @param width instructions that a search may look at for each character of the text, and for its end: up to 20 ns for
 *   each with the worst expressions that were found, and 150 ns for the character. A step of the budget is up to 50 ns.
 */
function stepsPerCharacter(width: number): number {
  return (width + 8) * 0.4;
}

/**
 * Loads the engine (`re2js`) for the patterns of one untrusted schema: what it compiles takes from one allowance, so
 * that a schema of thousands of patterns stays within bounds too.
 */
export async function loadLinearPatterns(): Promise<Patterns> {
  const { RE2JS } = await import('re2js');
  let left = maxSizeTogether;
  return {
    compile(source): Pattern {
      if (source.length > maxLength) {
        throw new PatternError('too_large', `it has more than ${maxLength} characters`);
      }
      const expression = parsePattern(source);
      const size = ownSize + sizeOf(expression);
      if (size > left) {
        throw new PatternError('too_large', `all patterns come to more than ${maxSizeTogether} instructions`);
      }
      left -= size;
      checkSyntax(source);
      const compiled = build(RE2JS, translate(expression));
      return {
        test: (text) => compiled.matcher(text).find(),
        stepsPerCharacter: stepsPerCharacter(widthOf(expression, compiled.programSize())),
      };
    },
  };
}

/**
 * Compiles what was translated. The group around it, and `find` in place of `test`, keep re2js to those of its matchers
 * that need no more memory than the expression, and whose time does not depend on what they matched before.
 */
function build(engine: typeof RE2JS, translated: string): RE2JS {
  try {
    const compiled = engine.compile(`(${translated})`);
    // What is made at the first search is made here.
    compiled.matcher('').find();
    return compiled;
  } catch (cause) {
    // Syntax and size are checked before: what is left are scripts that it does not know.
    throw new PatternError('unsupported', 'it has a script of Unicode that is not supported', { cause });
  }
}
