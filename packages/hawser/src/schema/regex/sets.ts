/** The character classes of ECMA-262 (22.2.2.9), as ranges of code points. */
import { PatternError, type CharacterSet, type Property, type Range } from './expression.ts';

export const lastCodePoint = 0x10ffff;

const digits: readonly Range[] = [[0x30, 0x39]];
const word: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** WhiteSpace and LineTerminator. */
const space: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

const classes = new Map([
  ['d', digits],
  ['D', complement(digits)],
  ['s', space],
  ['S', complement(space)],
  ['w', word],
  ['W', complement(word)],
]);

/** What `.` matches. */
export const notLineEnds = rangesSet(complement(lineEnds));

/** The ranges of `\d`, `\D`, `\s`, `\S`, `\w`, `\W`, by the letter; undefined for other letters. */
export function classRanges(letter: string): readonly Range[] | undefined {
  return classes.get(letter);
}

export function rangesSet(ranges: readonly Range[]): CharacterSet {
  return { isNegated: false, ranges, properties: [] };
}

/** @param ranges in order, apart from each other */
function complement(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) others.push([next, first - 1]);
    next = last + 1;
  }
  others.push([next, lastCodePoint]);
  return others;
}

/** Names of General_Category values: the short one, then the others. */
const categoryNames =
  'L Letter,LC Cased_Letter,Lu Uppercase_Letter,Ll Lowercase_Letter,Lt Titlecase_Letter,Lm Modifier_Letter,' +
  'Lo Other_Letter,M Mark Combining_Mark,Mn Nonspacing_Mark,Mc Spacing_Mark,Me Enclosing_Mark,N Number,' +
  'Nd Decimal_Number digit,Nl Letter_Number,No Other_Number,P Punctuation punct,Pc Connector_Punctuation,' +
  'Pd Dash_Punctuation,Ps Open_Punctuation,Pe Close_Punctuation,Pi Initial_Punctuation,Pf Final_Punctuation,' +
  'Po Other_Punctuation,S Symbol,Sm Math_Symbol,Sc Currency_Symbol,Sk Modifier_Symbol,So Other_Symbol,Z Separator,' +
  'Zs Space_Separator,Zl Line_Separator,Zp Paragraph_Separator,C Other,Cc Control cntrl,Cf Format,Cs Surrogate,' +
  'Co Private_Use,Cn Unassigned';
const categories = new Map<string, string>();
for (const names of categoryNames.split(',')) {
  const [short = '', ...others] = names.split(' ');
  for (const name of [short, ...others]) categories.set(name, short);
}

/**
 * Reads what stands in the braces of `\p{…}`, which is known to be valid.
 *
 * @throws PatternError when it is neither General_Category nor Script
 */
export function propertySet(text: string, isNegated: boolean): { ranges: Range[]; properties: Property[] } {
  const [key = '', value] = text.split('=');
  if (value === undefined && (key === 'Any' || key === 'ASCII')) {
    const last = key === 'Any' ? lastCodePoint : 0x7f;
    const rest: Range[] = last < lastCodePoint ? [[last + 1, lastCodePoint]] : [];
    return { ranges: isNegated ? rest : [[0, last]], properties: [] };
  }
  if (value === undefined && key === 'Assigned') {
    return { ranges: [], properties: [{ name: 'Cn', isNegated: !isNegated }] };
  }
  const isScript = key === 'Script' || key === 'sc';
  const isCategory = value === undefined || key === 'General_Category' || key === 'gc';
  const name = isScript ? value : isCategory ? categories.get(value ?? key) : undefined;
  if (name === undefined) throw new PatternError('unsupported', `the property \\p{${text}} is not supported`);
  return { ranges: [], properties: [{ name, isNegated }] };
}
