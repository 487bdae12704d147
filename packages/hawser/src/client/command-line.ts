import { ArgumentError } from '../base/errors.ts';

/**
 * Splits a command line into words, as a POSIX shell would split plain words and quotes, and nothing else: no
 * variables, no globs, no shell.
 *
 * @throws ArgumentError when a quote is left open
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (quote !== undefined) {
      if (c === quote) quote = undefined;
      else if (c === '\\' && quote === '"' && /["\\]/.test(line.charAt(i + 1))) word = (word ?? '') + line.charAt(++i);
      else word = (word ?? '') + c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (c === '\\' && i + 1 < line.length && /[\s"'\\]/.test(line.charAt(i + 1)))
      word = (word ?? '') + line.charAt(++i);
    else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + c;
  }
  if (quote !== undefined) throw new ArgumentError(`a command line with an open ${quote}`);
  if (word !== undefined) words.push(word);
  return words;
}
