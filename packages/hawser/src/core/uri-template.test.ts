import { array, assert, constantFrom, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import { UriTemplate } from './uri-template.ts';

const values = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  none: [],
  undef: undefined,
};

/** RFC 6570, sections 1.2 and 3.2. */
const expansions: readonly (readonly [string, string])[] = [
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['?{x,empty}', '?1024,'],
  ['?{x,undef}', '?1024'],
  ['?{undef,y}', '?768'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{list}', 'red,green,blue'],
  ['{list*}', 'red,green,blue'],
  ['{keys}', 'semi,%3B,dot,.,comma,%2C'],
  ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['{+path}/here', '/foo/bar/here'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{+list*}', 'red,green,blue'],
  ['{+keys}', 'semi,;,dot,.,comma,,'],
  ['{+keys*}', 'semi=;,dot=.,comma=,'],
  ['{#var}', '#value'],
  ['{#hello}', '#Hello%20World!'],
  ['foo{#empty}', 'foo#'],
  ['foo{#undef}', 'foo'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['{#keys*}', '#semi=;,dot=.,comma=,'],
  ['{.who,who}', '.fred.fred'],
  ['{.half,who}', '.50%25.fred'],
  ['www{.dom*}', 'www.example.com'],
  ['X{.empty}', 'X.'],
  ['X{.undef}', 'X'],
  ['X{.list}', 'X.red,green,blue'],
  ['X{.keys*}', 'X.semi=%3B.dot=..comma=%2C'],
  ['X{.none}', 'X'],
  ['{/who,dub}', '/fred/me%2Ftoo'],
  ['{/var,empty}', '/value/'],
  ['{/var,undef}', '/value'],
  ['{/var:1,var}', '/v/value'],
  ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
  ['{/keys*}', '/semi=%3B/dot=./comma=%2C'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{;v,empty,who}', ';v=6;empty;who=fred'],
  ['{;hello:5}', ';hello=Hello'],
  ['{;list}', ';list=red,green,blue'],
  ['{;list*}', ';list=red;list=green;list=blue'],
  ['{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?x,y,undef}', '?x=1024&y=768'],
  ['{?var:3}', '?var=val'],
  ['{?list*}', '?list=red&list=green&list=blue'],
  ['{?keys}', '?keys=semi,%3B,dot,.,comma,%2C'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&var:3}', '&var=val'],
];

describe('filled in', () => {
  test.each(expansions)('%s becomes %s', (template, uri) => {
    expect(new UriTemplate(template).expand(values)).toBe(uri);
  });

  test('in the text between, what is encoded stays and what no URI has is encoded', () => {
    expect(new UriTemplate("x://ä/%2f/it's/{var}").expand(values)).toBe("x://%C3%A4/%2f/it's/value");
  });

  test('half of a surrogate pair is replaced, a prefix counts whole characters', () => {
    expect(new UriTemplate('{a}').expand({ a: '\ud800' })).toBe('%EF%BF%BD');
    expect(new UriTemplate('{a:1}').expand({ a: '🐶🐱' })).toBe('%F0%9F%90%B6');
  });

  test('members of the prototype are no values', () => {
    expect(new UriTemplate('x{/constructor,__proto__}').expand({})).toBe('x');
  });

  test('a value that is no text is refused', () => {
    const untyped = { id: 5, list: [1] } as unknown as Record<string, string>;
    expect(() => new UriTemplate('x{/id}').expand(untyped)).toThrow(ArgumentError);
    expect(() => new UriTemplate('x{/list}').expand({ list: untyped['list'] })).toThrow(/"list" is a string/);
  });
});

describe('what is no template', () => {
  test.each([
    ['x://{', 'not closed'],
    ['x://{a', 'not closed'],
    ['x://a}', 'closes nothing'],
    ['x://{a}}', 'closes nothing'],
    ['x://{}', 'names are'],
    ['x://{a{b}}', 'names are'],
    ['x://{a b}', 'names are'],
    ['x://{=a}', 'names are'],
    ['x://{|a}', 'names are'],
    ['x://{a..b}', 'names are'],
    ['x://{a,}', 'names are'],
    ['x://{a:0}', 'names are'],
    ['x://{a:10000}', 'names are'],
    ['x://{a*:3}', 'names are'],
    ['x://a b', 'character'],
    ['x://<a>', 'character'],
    ['x://%zz', 'character'],
    ['x://\u0000', 'character'],
  ])('%j', (template, problem) => {
    expect(() => new UriTemplate(template)).toThrow(ArgumentError);
    expect(() => new UriTemplate(template)).toThrow(problem);
  });

  test('[BUG-143] templates have 10,000 characters and 100 variables at most', () => {
    expect(new UriTemplate('x'.repeat(10_000)).variables).toEqual([]);
    expect(() => new UriTemplate('x'.repeat(10_001))).toThrow('10000 characters');
    expect(() => new UriTemplate('x'.repeat(100_000))).toThrow(ArgumentError);
    const names = Array.from({ length: 101 }, (_, at) => `v${at}`);
    expect(new UriTemplate(`{?${names.slice(1).join(',')}}`).variables).toHaveLength(100);
    expect(() => new UriTemplate(`{?${names.join(',')}}`)).toThrow('100 variables');
  });

  test('and one that is no string', () => {
    expect(() => new UriTemplate(5 as unknown as string)).toThrow(ArgumentError);
  });
});

describe('taken apart', () => {
  const matches: readonly (readonly [string, string, Record<string, string> | undefined])[] = [
    ['x://{id}', 'x://5', { id: '5' }],
    ['x://{id}', 'x://', undefined],
    ['x://{id}', 'x://a/b', undefined],
    ['x://{id}', 'x://a?b', undefined],
    ['x://{id}', 'x://a#b', undefined],
    ['x://{id}', 'y://a', undefined],
    ['x://{id}', 'X://a', undefined],
    ['x://{id}', 'x://a%2Fb%20c', { id: 'a/b c' }],
    ['x://{id}', 'x://j@d.org:1', { id: 'j@d.org:1' }],
    ['x://{id}', 'x://%', undefined],
    ['x://{id}', 'x://%ff', undefined],
    ['x://{id}/data', 'x://5/data', { id: '5' }],
    ['x://{id}/data', 'x://5/data/more', undefined],
    ['x://{id}/data', 'x://5/dat', undefined],
    ['x://{id}/data', 'x://data/data', { id: 'data' }],
    ['x://fixed', 'x://fixed', {}],
    ['x://ü/{a}', 'x://%C3%BC/b', { a: 'b' }],
    ['x://ü/{a}', 'x://ü/b', { a: 'b' }],
    ['x://%C3%BC/{a}', 'x://ü/ß', { a: 'ß' }],
    ['x://ü/{a}', 'x://u/b', undefined],
    ['x://{a}', 'x://\ud800', { a: '\ufffd' }],
    ['x://日本/fixed', 'x://%E6%97%A5%E6%9C%AC/fixed', {}],
    ['x://a?ü=1{&b}', 'x://a?%C3%BC=1&b=2', { b: '2' }],
    ['x://a%2fb/{c}', 'x://a%2fb/1', { c: '1' }],
    ['x://a%2fb/{c}', 'x://a/b/1', undefined],
    ['x://fixed', 'x://fixed2', undefined],
    ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
    ['file:///{+path}', 'file:///', undefined],
    ['file:///{+path}/{name}', 'file:///a/b/c', { path: 'a/b', name: 'c' }],
    ['f://{name}.{ext}', 'f://a.tar.gz', { name: 'a.tar', ext: 'gz' }],
    ['f://{a}-{b}', 'f://1-2-3', { a: '1-2', b: '3' }],
    ['f://{a}aa{b}', 'f://aaaaaa', { a: 'aaa', b: 'a' }],
    ['f://{a,b}', 'f://1,2', { a: '1', b: '2' }],
    ['f://{a,b}', 'f://1', undefined],
    ['f://{a,b}', 'f://1,2,3', undefined],
    ['f://{a*}', 'f://1,2%2C,3', { a: '1,2,,3' }],
    ['r://x{/path*}', 'r://x', {}],
    ['r://x{/path*}', 'r://x/a/b%2Fc', { path: 'a/b/c' }],
    ['r://x{/path*}', 'r://x/', { path: '' }],
    ['r://x{/a,b}', 'r://x/1', { a: '1' }],
    ['r://x{/a,b}', 'r://x/1/2', { a: '1', b: '2' }],
    ['r://x{/a,b}', 'r://x/1/2/3', undefined],
    ['r://x{.ext}', 'r://x.md', { ext: 'md' }],
    ['r://x{.ext}', 'r://x', {}],
    ['r://x{.a,b}', 'r://x.1.2', { a: '1', b: '2' }],
    ['r://x{;a,b}/y', 'r://x;a=1;b=2/y', { a: '1', b: '2' }],
    ['r://x{;a,b}/y', 'r://x;b/y', { b: '' }],
    ['r://x{;a,b}/y', 'r://x;c=1/y', undefined],
    ['r://x{#part}', 'r://x#a/b?c', { part: 'a/b?c' }],
    ['r://x{#part}', 'r://x', {}],
    ['r://x{#a,b}', 'r://x#1,2', { a: '1', b: '2' }],
    ['r://x{#a,b}', 'r://x,2', undefined],
    ['s://x{?q,lang}', 's://x', {}],
    ['s://x{?q,lang}', 's://x?q=a%26b', { q: 'a&b' }],
    ['s://x{?q,lang}', 's://x?lang=no&q=', { lang: 'no', q: '' }],
    ['s://x{?q,lang}', 's://x?q=1&q=2', undefined],
    ['s://x{?q,lang}', 's://x?other=1', undefined],
    ['s://x{?q,lang}', 's://x?', undefined],
    ['s://x{?q*}', 's://x?q=1&q=2', { q: '1,2' }],
    ['s://x{?q*}', 's://x?a=1', undefined],
    ['s://x{?q}{&r}', 's://x?r=2', { r: '2' }],
    ['s://x?f=1{&g}', 's://x?f=1&g=2', { g: '2' }],
    ['s://x?f=1&h=2{&g}', 's://x?f=1&h=2', {}],
    ['s://x{?q}{#top}', 's://x?q=1#2', { q: '1', top: '2' }],
    ['s://x{?q}#end', 's://x?q=1#end', { q: '1' }],
    ['s://x{?q}#end', 's://x?q=1', undefined],
    ['x://{__proto__}', 'x://a', Object.fromEntries([['__proto__', 'a']])],
  ];

  test.each(matches)('%s of %s: %j', (template, uri, expected) => {
    expect(new UriTemplate(template).match(uri)).toEqual(expected);
  });

  test.each([
    ['{a}{b}', 'nothing is between'],
    ['{/a}{b}', 'nothing is between'],
    ['{a}{+b}', 'nothing is between'],
    ['{a}/{a}', 'twice'],
    ['{a:3}', 'a part of a value'],
    ['x{;a*}', 'no end'],
    ['x{?a}/b', 'only a fragment'],
  ])('%s is for filling in only', (template, problem) => {
    const made = new UriTemplate(template);
    expect(() => made.match('x')).toThrow(ArgumentError);
    expect(() => made.match('x')).toThrow(problem);
  });

  test('what was filled in comes out again', () => {
    const text = string({ minLength: 1, unit: 'grapheme' });
    const template = constantFrom(
      'x://{a}/{b}',
      'x://{a}/and{/b}',
      'x://y{?a,b}',
      'x://{a}{?b}',
      'x://{a,b}',
      'x://y{;a,b}',
      'x://{a}{#b}',
      'x://ü€🐶%2f/{a}ß{b}',
    );
    assert(
      property(template, record({ a: text, b: text }), (of, given) => {
        const made = new UriTemplate(of);
        // A fragment may hold what looks encoded already.
        if (of.includes('{#') && given.b.includes('%')) return;
        expect(made.match(made.expand(given))).toEqual(given);
      }),
    );
  });

  test('a URI of 65,536 characters is looked at, a longer one is not', () => {
    const template = new UriTemplate('x://{id}');
    expect(template.match('x://' + 'a'.repeat(65_532))?.['id']).toHaveLength(65_532);
    expect(template.match('x://' + 'a'.repeat(65_533))).toBeUndefined();
    expect(template.match('x://' + 'ü'.repeat(10_922))?.['id']).toHaveLength(10_922);
    expect(template.match('x://' + 'ü'.repeat(10_923))).toBeUndefined();
  });
});

describe('the work', () => {
  /** What a match costs, in characters looked at. */
  function stepsOf(template: string, uri: string): number {
    const meter = { steps: 0 };
    new UriTemplate(template).match(uri, meter);
    return meter.steps;
  }

  const eight = 'x://{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}';
  test.each([
    ['/users{/id*}', '/users/' + 'user1,user2,user3,'.repeat(200) + 'X/', 1],
    [eight, 'x://' + '-'.repeat(5_000) + '/', 8],
    [eight, 'x://' + '-'.repeat(5_000), 8],
    ['s://x{?q*}', 's://x?' + 'q=1&'.repeat(10_000), 1],
    ['{+a}' + 'a'.repeat(1_000) + '{+b}' + 'a'.repeat(1_000) + '{+c}', 'a'.repeat(60_000), 3],
  ])(
    '[BUG-143] %.40s: it grows with the length of the URI, times the parts of the template',
    (template, uri, variables) => {
      expect(stepsOf(template, uri)).toBeLessThanOrEqual((4 * variables + 2) * (uri.length + 1));
    },
  );

  test('[BUG-143] twice the URI is twice the work, whatever the URI is', () => {
    const hostile = array(constantFrom('-', 'a', '/', '%2D', ',', '?', '#'), { maxLength: 60 });
    assert(
      property(hostile, (pieces) => {
        const text = pieces.join('');
        const once = stepsOf(eight, `x://${text}`);
        expect(stepsOf(eight, `x://${text}${text}`)).toBeLessThanOrEqual(34 * (text.length * 2 + 5));
        expect(once).toBeLessThanOrEqual(34 * (text.length + 5));
      }),
    );
  });
});
