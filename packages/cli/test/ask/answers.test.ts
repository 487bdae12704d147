import { describe, expect, test } from 'vitest';
import { answersFor, filledUnasked, unanswered } from '../../src/ask/answers.ts';
import { UsageError } from '../../src/usage-error.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    boxes: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    gift: { type: 'boolean' },
    extras: { type: 'array', items: { enum: ['bow', 'card'] } },
    'a.b': { type: 'number' },
  },
  required: ['name', 'boxes', 'gift'],
};
const noFile = (): string => {
  throw new Error('no file is read');
};

describe('answers of the command line', () => {
  test('are picked by field, and of the kind the field wants; others are left for other forms', () => {
    const words = ['name=Ada', 'gift=true', 'extras=["bow"]', 'a.b=1.5', 'other=x'];
    const { values, missing } = answersFor(schema, words, noFile);
    expect([...values]).toEqual([
      ['name', 'Ada'],
      ['gift', true],
      ['extras', ['bow']],
      ['a.b', 1.5],
    ]);
    expect(missing).toEqual([]);
  });

  test('a required field with a default needs none', () => {
    const given = answersFor(schema, ['name=Ada', 'gift:=false'], noFile);
    expect(given.missing).toEqual([]);
    expect([...filledUnasked(schema, given)]).toEqual([
      ['name', 'Ada'],
      ['gift', false],
      ['boxes', 1],
    ]);
  });

  test('what is missing is told with how to write it', () => {
    const none = answersFor(schema, [], noFile);
    expect(none.missing.map(({ name }) => name)).toEqual(['name', 'gift']);
    expect(unanswered('Who?\nYou?', schema, none)).toMatchObject({
      message: 'the server asks "Who? You?", and there is no terminal to answer at',
      hint: "give the answers: --answer name='…' --answer gift=true",
    });
    const some = answersFor(schema, ['gift=true'], noFile);
    expect(unanswered('Who?', schema, some)).toMatchObject({
      message: 'the server asks "Who?", and the answers do not say: name',
      hint: "add --answer name='…'",
    });
  });

  test.each([['name=A'], ['boxes=10'], ['extras=["rose"]'], ['gift=maybe']])('%s does not fit', (word) => {
    expect(() => answersFor(schema, [word], noFile)).toThrow(UsageError);
  });
});
