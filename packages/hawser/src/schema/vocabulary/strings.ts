/** `pattern` and `format` (2020-12 validation 6.3.3, 7), and what an outcome is worth that depends on neither. */
import { formatOf } from '../formats/index.ts';
import { notEvaluated } from '../partial.ts';
import type { Compiling, Rule } from '../rule.ts';
import { shown } from '../say.ts';

export function stringRules({ node, mode, get, pattern }: Compiling, assertsFormats: boolean): Rule[] {
  const rules: Rule[] = [];
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
  const isFormat = assertsFormats ? formatOf(format, node.resource.dialect) : undefined;
  if (isFormat !== undefined) {
    rules.push({
      keyword: 'format',
      on: 'string',
      check(value, run) {
        const text = value as string;
        run.spend(1 + (text.length >> 2));
        return isFormat(text);
      },
      say: () => `must be a ${shown(format)}`,
    });
  }
  if (mode.sure)
    for (const keyword of notEvaluated(node, assertsFormats))
      rules.push({ keyword, on: 'string', check: () => false, say: () => `is not known to fit ${keyword}` });
  return rules;
}
