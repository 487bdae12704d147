/** Keywords for strings (2020-12 validation 6.3, 7), and what stands for those that are not evaluated. */
import type { FormatOf } from '../formats/port.ts';
import { notEvaluated } from '../partial.ts';
import type { Check, Compiling, Rule } from '../rule.ts';
import type { Run } from '../run.ts';
import { shown } from '../say.ts';
import { characters } from '../text.ts';

export function stringRules(compiling: Compiling & { readonly formatOf: FormatOf }): Rule[] {
  const { node, mode, get, pattern, formatOf } = compiling;
  const rules = lengthRules(get);
  const source = get('pattern');
  if (typeof source === 'string') {
    const isIn = pattern(source);
    rules.push({
      keyword: 'pattern',
      on: 'string',
      check: (value, run) => isIn(value as string, run),
      say: () => `must match the pattern ${shown(source)}`,
    });
  }
  const format = get('format');
  const isFormat = formatOf(format, node.resource.dialect);
  if (isFormat !== undefined) {
    rules.push({
      keyword: 'format',
      on: 'string',
      check(value, run) {
        const text = value as string;
        run.spend(1 + (text.length >> 2));
        return isFormat(text, run);
      },
      say: () => `must be a ${shown(format)}`,
    });
  }
  if (mode.sure)
    for (const keyword of notEvaluated(node, formatOf))
      rules.push({ keyword, on: 'string', check: () => false, say: () => `is not known to fit ${keyword}` });
  return rules;
}

function lengthRules(get: Compiling['get']): Rule[] {
  const rules: Rule[] = [];
  const add = (keyword: string, words: string, checkOf: (bound: number) => Check): void => {
    const bound = get(keyword);
    if (typeof bound !== 'number') return;
    const check = checkOf(bound);
    rules.push({ keyword, on: 'string', check, say: () => `must have at ${words} ${bound} characters` });
  };
  const count = (text: string, run: Run): number => {
    run.spend(text.length >> 4);
    return characters(text);
  };
  // A text has at most as many characters as code units, and at least half as many: mostly that decides.
  add('minLength', 'least', (min) => (value, run) => {
    const text = value as string;
    return text.length >= min && (text.length >= 2 * min || count(text, run) >= min);
  });
  add('maxLength', 'most', (max) => (value, run) => {
    const text = value as string;
    return text.length <= max || (text.length <= 2 * max && count(text, run) <= max);
  });
  return rules;
}
