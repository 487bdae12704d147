import { RE2JS } from 're2js';
import { describe, expect, test, vi } from 'vitest';
import { trusted } from '../bounds.ts';
import type { Pattern } from '../patterns.ts';
import { PatternError, type PatternProblem } from './expression.ts';
import { loadLinearPatterns, maxSizeTogether } from './linear.ts';
import { maxCount, maxSize } from './size.ts';

async function compile(source: string): Promise<Pattern> {
  const patterns = await loadLinearPatterns();
  return patterns.compile(source);
}

/** Why it is refused; undefined when it is not. */
async function problem(source: string): Promise<PatternProblem | undefined> {
  try {
    await compile(source);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(PatternError);
    return error instanceof PatternError ? error.problem : undefined;
  }
}

/** Characters at which the classes of engines differ. */
const telling = Array.from(
  'aAzZ019_-^]$.,/ \t\v\f\n\r\0\x1f\u0085\u00a0\u00e9\u017f\u0378\u07c0\u1680\u180e\u2000\u200a\u200b\u2028\u2029' +
    '\u202f\u205f\u212a\u3000\ufeff\uffff\udc32\u{1f432}\u{1d7ce}\u{10ffff}\ud83d',
);

describe('constructs', () => {
  const singles = [
    ['.'],
    ['\\d', '\\D', '\\s', '\\S', '\\w', '\\W'],
    ['[^\\d]', '[^\\D]', '[^\\s]', '[^\\S]', '[^\\w]', '[^\\W]', '[\\s\\S]', '[^\\s\\S]', '[\\w\\s-]', '[\\d-]'],
    ['[a-z]', '[^a-z]', '[a^]', '[-a]', '[a-]', '[\\-a]', '[\\]a]', '[.$]', '[,-/]', '[\\x00-\\x1f]', '[\\b]'],
    ['[]', '[^]', '[^][]', '[]*', '(?:[]|a)', '[^]{2}'],
    ['\\t', '\\n', '\\v', '\\f', '\\r', '\\0', '[\\0]', '\\cI', '\\ci', '\\cJ', '\\x41', '[\\x41-\\x5a]'],
    ['\\u0041', '\\u{41}', '\\u{000041}', '\\u{1F432}', '\\uD83D\\uDC32', '\\ud83d\\udc32', '[\\uD83D\\uDC32]'],
    ['\\uD83D', '\\uDC32', '\\u{D83D}\\u{DC32}', '\ud83d\\uDC32', '[\\u{D83D}\\u{DC32}]', '[\\uD800-\\uDFFF]'],
    ['\u{1f432}', '[\u{1f432}-\u{1f435}]', '[^\u{1f432}]', '^\u{1f432}*$', '^.$', '^..$'],
    ['\\p{L}', '\\P{L}', '\\p{Letter}', '\\p{Lu}', '\\p{digit}', '\\p{gc=Nd}', '\\p{General_Category=Decimal_Number}'],
    ['[\\p{L}\\p{Nd}]', '[^\\p{L}]', '[\\P{L}a]', '[^\\P{L}a]', '\\p{Any}', '\\P{Any}', '\\p{ASCII}', '\\P{ASCII}'],
    ['\\p{Assigned}', '\\P{Assigned}', '\\p{Script=Greek}', '\\p{sc=Nko}', '\\P{Script=Latin}'],
    ['\\^', '\\$', '\\.', '\\/', '\\]', '/', ',', '-', ' '],
    [
      '^',
      '$',
      '\\b',
      '\\B',
      '^$',
      '$^',
      'a$',
      '^a',
      '(?:^|a)$',
      'a\\b',
      '\\Ba',
      '(?:\\b)*a',
      '(?:^)*',
      '(?:$)+',
      '(?:^)?',
    ],
    [
      '(a)',
      '(?:a)',
      '(?<name>a)',
      '(?<$\\u0061\u00e9>a)',
      '(a|)',
      '(|a)',
      '()',
      '(?:)',
      '|',
      'a|',
      'ab|c',
      '(ab|c)d|e',
    ],
    ['a*', 'a+', 'a?', 'a*?', 'a+?', 'a??', 'a{2}', 'a{2}?', 'a{1}?b', 'a{0}', 'a{0}b', 'a{0,}', 'a{2,}', 'a{1,2}'],
    ['a{01,02}', '(?:a{2}){2}', '(?:a*)*', '(?:a?){3}', '(?:a|b*)+', '(?:(?:)*)*', '(?:a{2,}){2}', '(?:ab){0,2}$'],
  ].flat();

  test.each(singles)('%j is what it is for the platform', async (source) => {
    const native = new RegExp(source, 'u');
    const linear = await compile(source);
    const texts = ['', ...telling, ...telling.map((one) => `a${one}`), ...telling.map((one) => `${one}a${one}`)];
    texts.push('aaa', 'aaaa', 'abab', 'ab ab', 'cd', 'abd', 'a\na', '\ud83d\u{1f432}\udc32');
    expect(texts.filter((text) => linear.test(text))).toEqual(texts.filter((text) => native.test(text)));
  });

  test('every category has the characters that the platform has assigned', async () => {
    const sampled: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 3 : 211) sampled.push(String.fromCodePoint(code));
    const assigned = sampled.filter((one) => /\P{Cn}/u.test(one));
    const names =
      'L LC Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cs Co';
    for (const name of names.split(' ')) {
      const native = new RegExp(`\\p{${name}}`, 'u');
      const linear = await compile(`\\p{${name}}`);
      const different = assigned.filter((one) => native.test(one) !== linear.test(one));
      expect([name, different]).toEqual([name, []]);
    }
  });
});

describe('what is refused', () => {
  test.each([
    'a++',
    '(?i)a',
    '(?P<n>a)',
    '[[:alpha:]]\\',
    '\\a',
    '\\A',
    '\\z',
    '\\-',
    '\\1',
    '\\u12',
    '\\x1',
    '\\c1',
    '\\00',
    'a{2,1}',
    'a{',
    '{1}',
    ']',
    '}',
    '(',
    ')',
    '[b-a]',
    '[\\d-z]',
    '*',
    '^*',
    '\\b+',
    '(?<n>a)(?<n>b)',
    '\\p{}',
    '\\p{Nonsense}',
    '\\p',
    '\\p{Greek}',
    '(?<1>a)',
    '\\',
    '[',
    '(?<=a)*',
    '\\u{110000}',
  ])('%j is none of ECMA-262', async (source) => {
    expect(() => new RegExp(source, 'u')).toThrow(SyntaxError);
    // For some it is said first that they are not supported.
    expect(await problem(source)).toMatch(/^(invalid|unsupported)$/);
  });

  test.each(['a++', 'a{2,1}', '(?<n>a)(?<n>b)', ']'])('%j is said to be invalid', async (source) => {
    expect(await problem(source)).toBe('invalid');
  });

  test.each([
    '(?=a)',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '^(?=.*\\d).{8,}$',
    '(a)\\1',
    '^(a|b\\1)+$',
    '(?<n>a)\\k<n>',
    '\\p{Alphabetic}',
    '\\p{scx=Grek}',
    '\\p{sc=Grek}',
    '\\p{Emoji}',
  ])('%j is valid, and unsupported', async (source) => {
    expect(new RegExp(source, 'u')).toBeInstanceOf(RegExp);
    expect(await problem(source)).toBe('unsupported');
  });

  test.each([
    ['a(?=b)', /looking ahead or behind is not supported/],
    ['(a)\\1', /references to groups are not supported/],
    ['(?<n>a)\\k<n>', /references to groups are not supported/],
    ['\\p{Emoji}', /the property \\p\{Emoji\} is not supported/],
    ['\\p{sc=Grek}', /a script of Unicode that is not supported/],
    ['ab(?i)c', /what stands at character 4 is not supported/],
    ['a++', /Nothing to repeat/],
  ])('%j: it is said why', async (source, why) => {
    await expect(compile(source)).rejects.toThrow(why);
  });

  const nested = (levels: number) => '('.repeat(levels) + 'a' + ')'.repeat(levels);

  test.each<[string, string, PatternProblem | undefined]>([
    ['10,000 characters', `[${'a'.repeat(trusted.maxPatternLength - 2)}]`, undefined],
    ['10,001 characters', `[${'a'.repeat(trusted.maxPatternLength - 1)}]`, 'too_large'],
    ['250 levels', nested(250), undefined],
    ['251 levels', nested(251), 'too_large'],
    ['300 groups one after the other', '(a)'.repeat(300), undefined],
    ['as many levels as there is room for', nested(4_999), 'too_large'],
    ['a count of 1,000', `a{${maxCount}}`, undefined],
    ['a count of 1,001', `a{${maxCount + 1}}`, 'too_large'],
    ['a least count of 1,001', `a{${maxCount + 1},}`, 'too_large'],
    ['a count past all numbers', `a{1,${'9'.repeat(400)}}`, undefined],
    ['a least count past all numbers', `a{${'9'.repeat(400)},}`, 'too_large'],
    ['counts of 1,000 together', '(?:a{10}){100}', undefined],
    ['counts of 1,010 together', '(?:a{10}){101}', 'too_large'],
    ['counts of 10^9 together', '(?:(?:(?:a{10}){1000}){1000}){1000}', 'too_large'],
    ['many instructions', `(?:${'ab'.repeat(5)}){500}`, 'too_large'],
    ['4,000 characters one after the other', 'ab'.repeat(1_000), undefined],
    ['characters past the size', 'a'.repeat(maxSize), 'too_large'],
    ['nothing, often', '|'.repeat(maxSize), 'too_large'],
    ['thousands of properties', '\\p{L}'.repeat(1_000), 'too_large'],
  ])('bounds: %s', async (_, source, expected) => {
    expect(await problem(source)).toBe(expected);
  });

  test('all expressions of one schema take from one allowance, which each schema has anew', async () => {
    const patterns = await loadLinearPatterns();
    const compileMany = () => {
      for (let taken = 0; taken <= maxSizeTogether; taken += 1_000) patterns.compile(`a{1000}`);
    };
    expect(compileMany).toThrow(/all patterns come to more than 20000 instructions/);
    expect(await problem('a{1000}')).toBe(undefined);
  });

  test('the platform is asked about the syntax, and never for a match', async () => {
    const asked = [vi.spyOn(RegExp.prototype, 'exec'), vi.spyOn(RegExp.prototype, 'test')];
    const pattern = await compile('^(x+)+$');
    expect(pattern.test('xxxxxxxxxxxxxxxxy')).toBe(false);
    const sources = asked.flatMap((spy) => spy.mock.contexts.map((one) => (one instanceof RegExp ? one.source : '')));
    vi.restoreAllMocks();
    expect(sources.filter((source) => source.includes('x+'))).toEqual([]);
  });
});

describe('the time it takes', () => {
  const text = 'a'.repeat(50_000);

  test.each([
    ['^(a+)+$', text, true],
    ['^(a+)+$', `${text}b`, false],
    ['^(a|aa)+$', `${text}b`, false],
    ['^(.*?,){11}P', '1,2,3,4,5,6,7,8,9,10,11,12,13'.repeat(50), false],
    ['(?:a?){30}a{30}$', `${'a'.repeat(29)}b`, false],
    ['(x+x+)+y', 'x'.repeat(20_000), false],
  ])('[SEED-211] %s on a long text: the right answer, in steps of the length', async (source, long, expected) => {
    const { test: search, stepsPerCharacter } = await compile(source);
    expect(search(long)).toBe(expected);
    expect(stepsPerCharacter).toBeLessThan(60);
  });

  test.each(['^(a+)+$', '^a{1,50}$', 'a[ab]{300}[cd]'])('%s: nothing is kept of a search', async (source) => {
    const built = vi.spyOn(RE2JS, 'compile');
    const pattern = await compile(source);
    const [compiled] = built.mock.results.map(({ value }) => value as RE2JS);
    vi.restoreAllMocks();
    pattern.test('ab'.repeat(5_000));
    // The two matchers of re2js that keep tables of megabytes, made while searching and while compiling.
    expect(compiled?.re2()).toMatchObject({ lazyDFA: null, onepass: null });
  });

  test('is charged for by the size of the expression', async () => {
    const small = await compile('^(a+)+$');
    const large = await compile('^(?:a|b){1,500}$');
    expect(small.stepsPerCharacter * 50_000).toBeLessThan(400_000);
    expect(large.stepsPerCharacter).toBeGreaterThan(200);
  });

  test.each([
    ['^.{1,1000}$', 10],
    ['^[A-Z]{2}\\d{1,900}$', 10],
    ['^(?:a)([a-z]{1,500})(?:\\.txt)$', 20],
    ['^a{1000}$', 10],
    ['.{1,1000}$', 1_000],
    ['^.{1,400}.{1,400}$', 600],
    ['^(?:ab){1,400}$', 400],
    ['^.{1,400}a{400}$', 300],
    ['^a{0,400}|b$', 300],
  ])('%s: by what of it may be at work at one time', async (source, steps) => {
    const { stepsPerCharacter } = await compile(source);
    expect(stepsPerCharacter).toBeGreaterThan(steps * 0.4);
    expect(stepsPerCharacter).toBeLessThan(steps * 1.6);
  });
});
