import { describe, expect, test } from 'vitest';
import { parseArguments, parseWhole } from '../src/args.ts';
import { UsageError } from '../src/usage-error.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    either: { type: ['string', 'integer'] },
    level: { enum: [1, 2, 3] },
    linked: { $ref: '#/$defs/whole' },
    'a.b': { type: 'integer' },
    free: {},
  },
  $defs: { whole: { type: 'integer' } },
};

const files: Record<string, string> = { 'letter.txt': 'Dear\nall', 'list.json': '[1, 2]', 'count.txt': '7' };
const readFile = (path: string) => {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  return text;
};
const build = (...words: string[]) => parseArguments(words, schema, readFile);

describe('key=value', () => {
  test.each([
    ['text=hi', { text: 'hi' }],
    ['text=12', { text: '12' }],
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['count=-3', { count: -3 }],
    ['count=1e3', { count: 1000 }],
    ['ratio=0.5', { ratio: 0.5 }],
    ['ratio=2', { ratio: 2 }],
    ['on=false', { on: false }],
    ['tags=["a", "b"]', { tags: ['a', 'b'] }],
    ['filter={"size": 1}', { filter: { size: 1 } }],
    ['maybe=5', { maybe: 5 }],
    ['maybe=null', { maybe: null }],
    ['either=5', { either: '5' }],
    ['level=2', { level: 2 }],
    ['linked=4', { linked: 4 }],
    ['free=4', { free: '4' }],
    ['unknown=4', { unknown: '4' }],
  ])('%s follows the type in the schema', (word, expected) => {
    expect(build(word)).toEqual(expected);
  });

  test.each([
    ['count=many', /count wants an integer, and "many" is none/, /count=3/],
    ['count=1.5', /count wants an integer/, /count=3/],
    ['count=', /count wants an integer, and "" is none/, /count=3/],
    ['ratio=Infinity', /ratio wants a number/, /ratio=3/],
    ['on=yes', /on wants a boolean/, /on=true/],
    ['tags=a', /tags wants an array/, /tags='\["a", "b"\]'/],
    ['filter=[]', /filter wants an object/, /filter\.a=1/],
    ['maybe=x', /maybe wants an integer or null/, /maybe=3/],
  ])('%s is refused with a hint', (word, message, hint) => {
    const error = thrown(() => build(word));
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });

  test('an integer that JavaScript cannot hold exactly is refused, not rounded', () => {
    expect(build('count=9007199254740991')).toEqual({ count: 9007199254740991 });
    expect(thrown(() => build('count=9007199254740993')).message).toMatch(/too large/);
    expect(build('text=9007199254740993')).toEqual({ text: '9007199254740993' });
  });

  test.each(['', 'text', '=x', ':=1', 'https://example.com/mcp'])('"%s" is no argument', (word) => {
    expect(thrown(() => build(word)).message).toMatch(/is no argument/);
  });
});

describe('key:=json', () => {
  test('is JSON whatever the schema says', () => {
    expect(build('text:=12', 'count:="x"', 'free:={"a":[null]}')).toEqual({
      text: 12,
      count: 'x',
      free: { a: [null] },
    });
  });

  test('that is no JSON names the word and the way to write text', () => {
    const error = thrown(() => build('text:=hi'));
    expect(error.message).toBe('text: "hi" is not JSON');
    expect(error.hint).toBe('for text write text=…');
  });
});

describe('files', () => {
  test('key=@file is its text, converted like text', () => {
    expect(build('text=@letter.txt', 'count=@count.txt')).toEqual({ text: 'Dear\nall', count: 7 });
  });

  test('key:=@file is its JSON', () => {
    expect(build('free:=@list.json')).toEqual({ free: [1, 2] });
  });

  test('a missing file says how to write a text that begins with @', () => {
    const error = thrown(() => build('text=@alice'));
    expect(error.message).toBe('text: cannot read the file "alice" (ENOENT)');
    expect(error.hint).toContain(`text:='"@alice"'`);
    expect(build('text:="@alice"')).toEqual({ text: '@alice' });
  });
});

describe('dotted keys', () => {
  test('make nested objects, typed by the nested schema', () => {
    expect(build('filter.size=3', 'filter.name=3', 'x.y.z=1')).toEqual({
      filter: { size: 3, name: '3' },
      x: { y: { z: '1' } },
    });
  });

  test('add to an object that was given as JSON', () => {
    expect(build('filter:={"size": 1}', 'filter.name=n')).toEqual({ filter: { size: 1, name: 'n' } });
  });

  test('a member with a dot in its name is meant if the schema has it, or with a backslash', () => {
    expect(build('a.b=1', String.raw`c\.d=2`)).toEqual({ 'a.b': 1, 'c.d': '2' });
  });

  test.each([[['text=a', 'text=b']], [['text=a', 'text.b=c']], [['x.y=1', 'x:={}']], [['free:=null', 'free=a']]])(
    '%j collide',
    (words) => {
      expect(thrown(() => build(...words)).message).toMatch(/is given twice/);
    },
  );

  test.each(['a..b=1', '.a=1', 'a.=1'])('%s has an empty part', (word) => {
    expect(thrown(() => build(word)).message).toMatch(/empty part/);
  });

  test('__proto__ is a key like any other', () => {
    const args = build('__proto__.polluted=yes', 'constructor=x');
    expect(Object.hasOwn(args, '__proto__')).toBe(true);
    expect(JSON.stringify(args)).toBe('{"__proto__":{"polluted":"yes"},"constructor":"x"}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('--args', () => {
  test('is one JSON object', () => {
    expect(parseWhole('{"a": [1]}')).toEqual({ a: [1] });
  });

  test.each(['[1]', 'null', '"a"', '{', ''])('%s is refused', (text) => {
    expect(() => parseWhole(text)).toThrow(UsageError);
  });
});

test('a word of a thousand characters is shortened in the message', () => {
  expect(thrown(() => build('x'.repeat(1000))).message.length).toBeLessThan(100);
});

function thrown(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
