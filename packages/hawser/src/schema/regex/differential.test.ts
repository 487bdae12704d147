/** What the linear engine finds, beside what the platform's finds. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pattern } from '../patterns.ts';
import { PatternError } from './expression.ts';
import { loadLinearPatterns } from './linear.ts';

async function compile(source: string): Promise<Pattern> {
  const patterns = await loadLinearPatterns();
  return patterns.compile(source);
}

/**
 * Whether the platform finds it, tried at every code point as ECMA-262 says (22.2.7.2). V8 also tries between the halves
 * of a surrogate pair, where `\B` matches: `/\B/u.exec('a\u{1f432}_')` should be null.
 */
function finds(source: string): (text: string) => boolean {
  const native = new RegExp(source, 'u');
  const sticky = new RegExp(source, 'uy');
  return (text) => {
    const found = native.exec(text);
    if (found === null || !isWithinPair(text, found.index)) return found !== null;
    for (let at = 0; at <= text.length; at++) {
      sticky.lastIndex = at;
      if (!isWithinPair(text, at) && sticky.test(text)) return true;
    }
    return false;
  };
}

function isWithinPair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** Few, so that they meet often: in the classes and not, letters and ends of lines, pairs and halves of them. */
const characters = [
  'a',
  'b',
  'B',
  '0',
  '_',
  ' ',
  '-',
  '\n',
  '\u2028',
  '\u00a0',
  '\u00e9',
  '\ufeff',
  '\u{1f432}',
  '\ud83d',
  '\udc32',
];

const text = fc.array(fc.constantFrom(...characters), { maxLength: 6 }).map((parts) => parts.join(''));
const texts = fc.array(text, { minLength: 4, maxLength: 8 });

const classEscape = fc.constantFrom(
  '\\d',
  '\\D',
  '\\s',
  '\\S',
  '\\w',
  '\\W',
  '\\p{Pd}',
  '\\P{Zs}',
  '\\p{Zs}',
  '\\p{ASCII}',
);
const escaped = fc.constantFrom(
  '\\n',
  '\\x61',
  '\\u0062',
  '\\u{1F432}',
  '\\uD83D\\uDC32',
  '\\uD83D',
  '\\uDC32',
  '\\cJ',
  '\\$',
);
const plain = fc.constantFrom(...characters.slice(0, 13), '\\-').map((one) => (one === '\\-' ? '-' : one));

const classItem = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'b', '0', ' ', '\n', '\u00e9', '\u{1f432}', '\\-', '\\uD83D', '\\b', '.', '$', '|'),
  },
  { weight: 2, arbitrary: classEscape },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a-b', '0-9', '\\n-a', '\\x00-\\x20', '\\u2000-\\u{1F432}', '\\uD800-\\uDFFF'),
  },
);
const characterClass = fc
  .tuple(fc.boolean(), fc.array(classItem, { maxLength: 3 }))
  .map(([isNegated, items]) => `[${isNegated ? '^' : ''}${items.join('')}]`);

const quantifier = fc
  .tuple(
    fc.constantFrom('', '', '', '', '', '', '', '', '*', '+', '?', '{2}', '{0}', '{0,2}', '{1,}', '{1}', '{2,3}'),
    fc.boolean(),
  )
  .map(([count, isLazy]) => (count !== '' && isLazy ? `${count}?` : count));

const { expression } = fc.letrec<{ expression: string; sequence: string; term: string; group: string }>((tie) => ({
  expression: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((items) => items.join('|')),
  sequence: fc.array(tie('term'), { maxLength: 3 }).map((items) => items.join('')),
  term: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: fc.tuple(fc.oneof(plain, escaped), quantifier).map((parts) => parts.join('')) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.oneof(characterClass, classEscape, fc.constant('.')), quantifier)
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
    { weight: 2, arbitrary: fc.tuple(tie('group'), quantifier).map((parts) => parts.join('')) },
  ),
  group: fc.tuple(fc.constantFrom('(', '(?:', '(?:'), tie('expression')).map(([open, inner]) => `${open}${inner})`),
}));

/** With more choices than these, the platform may take minutes for six characters. */
const maxChoices = 6;

const source = fc
  .tuple(fc.constantFrom('', '^'), expression, fc.constantFrom('', '$'))
  .map((parts) => parts.join(''))
  .filter((one) => (one.match(/[|*+?]|\{\d/g) ?? []).length <= maxChoices);

test('[SEED-209] an expression without references and look-around finds what it finds for the platform', async () => {
  await fc.assert(
    fc.asyncProperty(source, texts, async (pattern, among) => {
      const native = finds(pattern);
      const linear = await compile(pattern);
      expect(among.filter((one) => linear.test(one))).toEqual(among.filter(native));
    }),
    { numRuns: 2_000 },
  );
});

const noise = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...'ab0-,:=!<>PpkucxdDwsS12'.split('')) },
      { weight: 3, arbitrary: fc.constantFrom(...'()[]{}|*+?\\^$.'.split('')) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '(?:',
          '(?=',
          '(?<',
          '\\p{',
          '\\u',
          '{1,',
          '[^',
          '\\b',
          '(?<a>',
          '\\k<a>',
          '(?i:',
          '--',
          '&&',
        ),
      },
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));

test('[SEED-210] whatever is written: refused, or valid and with the same outcome as for the platform', async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(noise, texts, async (pattern, among) => {
      let linear: Pattern;
      try {
        linear = await compile(pattern);
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError);
        return;
      }
      compiled++;
      const native = finds(pattern);
      expect(among.filter((one) => linear.test(one))).toEqual(among.filter(native));
    }),
    { numRuns: 4_000 },
  );
  expect(compiled).toBeGreaterThan(100);
});
