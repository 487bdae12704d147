import { describe, expect, test } from 'vitest';
import { askForm } from '../../src/ask/form.ts';
import { scriptedPerson } from '../fixtures/questions.ts';

const who = 'demo (https://host/mcp)';

const trip = {
  message: 'Where to?',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', description: 'By name' },
      days: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      guide: { type: 'boolean', default: true },
      class: {
        oneOf: [
          { const: 'e', title: 'Economy' },
          { const: 'f', title: 'First' },
        ],
      },
      meals: { type: 'array', minItems: 1, items: { type: 'string', enum: ['breakfast', 'dinner'] } },
    },
    required: ['city', 'days', 'guide'],
  },
};

test('[ELI-015] who asks, what for, every field by its kind, a review, and only then an answer', async () => {
  const { questions, asked } = scriptedPerson(['Oslo', '2', 'No', 'First', ['dinner'], 'Send']);
  expect(await askForm(questions, trip, who)).toEqual({
    action: 'accept',
    content: { city: 'Oslo', days: 2, guide: false, class: 'f', meals: ['dinner'] },
  });
  expect(asked[0]?.message).toMatch(/^demo \(https:\/\/host\/mcp\) asks:\n {2}Where to\?\n/);
  expect(asked.slice(1, 6)).toEqual([
    { how: 'text', message: 'City: By name', initial: undefined },
    { how: 'text', message: 'days [a whole number, 1 to 9]', initial: '3' },
    { how: 'choose', message: 'guide', choices: ['Yes', 'No'], initial: 'Yes' },
    {
      how: 'choose',
      message: 'class [optional]',
      choices: ['Economy', 'First', '(leave it out)'],
      initial: '(leave it out)',
    },
    { how: 'chooseSome', message: 'meals [optional]', choices: ['breakfast', 'dinner'], initial: undefined },
  ]);
  expect(asked[6]?.message).toBe(
    'Your answers:\n  City: Oslo\n  days: 2\n  guide: no\n  class: First\n  meals: dinner',
  );
  expect(asked[7]?.choices).toEqual([
    'Send',
    'Change an answer',
    expect.stringMatching(/^Decline/),
    expect.stringMatching(/^Cancel/),
  ]);
});

test('[ELI-015] an answer can be changed before it is sent', async () => {
  const person = scriptedPerson(['Oslo', '2', 'Yes', '(leave', [], 'Change', 'City', 'Bergen', 'Send']);
  expect(await askForm(person.questions, trip, who)).toEqual({
    action: 'accept',
    content: { city: 'Bergen', days: 2, guide: true },
  });
  expect(person.asked.findLast(({ how }) => how === 'text')).toMatchObject({
    message: 'City: By name',
    initial: 'Oslo',
  });
});

test('what does not fit is said, and asked again', async () => {
  const person = scriptedPerson(['', 'Oslo', '12', 'two', '2', 'Yes', 'Economy', [], 'Send']);
  expect(await askForm(person.questions, trip, who)).toMatchObject({ action: 'accept', content: { days: 2 } });
  expect(person.complaints).toEqual(['this has to be filled in', 'at most 9', 'write a whole number, 1 to 9']);
});

describe('[ELI-015] the ways out', () => {
  test.each<[string, (string | undefined)[], string]>([
    ['Escape, then decline', [undefined, 'Decline'], 'decline'],
    ['Escape, then cancel', [undefined, 'Cancel'], 'cancel'],
    ['Escape twice', [undefined, undefined], 'cancel'],
  ])('%s', async (_, answers, action) => {
    expect(await askForm(scriptedPerson(answers).questions, trip, who)).toEqual({ action });
  });

  test.each<[string, string | undefined, string]>([
    ['decline', 'Decline', 'decline'],
    ['cancel', 'Cancel', 'cancel'],
    ['Escape', undefined, 'cancel'],
  ])('%s at the review', async (_, answer, action) => {
    const { questions } = scriptedPerson(['Oslo', '2', 'Yes', '(leave', [], answer]);
    expect(await askForm(questions, trip, who)).toEqual({ action });
  });

  test('going back keeps what was answered', async () => {
    const { questions } = scriptedPerson(['Oslo', undefined, 'Go back', '2', 'Yes', '(leave', [], 'Send']);
    expect(await askForm(questions, trip, who)).toMatchObject({ content: { city: 'Oslo', days: 2 } });
  });
});

test('a form without fields is a question of yes or no', async () => {
  const request = { message: 'Deploy?', schema: { type: 'object', properties: {} } };
  expect(await askForm(scriptedPerson(['Accept']).questions, request, who)).toEqual({ action: 'accept', content: {} });
  expect(await askForm(scriptedPerson(['Decline']).questions, request, who)).toEqual({ action: 'decline' });
});

test('answers that were given stand in the fields', async () => {
  const { questions, asked } = scriptedPerson(['Oslo', '5', 'Yes', '(leave', [], 'Send']);
  await askForm(questions, trip, who, new Map([['days', 5]]));
  expect(asked[2]).toMatchObject({ initial: '5' });
});

describe('a field that asks for a secret', () => {
  const login = {
    message: 'Log in',
    schema: { type: 'object', properties: { apiKey: { type: 'string' } }, required: ['apiKey'] },
  };

  test('is asked hidden, with a warning, and hidden in the review', async () => {
    const person = scriptedPerson(['s3cr3t', 'Send']);
    expect(await askForm(person.questions, login, who)).toEqual({ action: 'accept', content: { apiKey: 's3cr3t' } });
    expect(person.asked[0]?.message).toContain('Warning: it asks for what looks like a secret (apiKey)');
    expect(person.asked[1]).toMatchObject({ how: 'secret', message: 'apiKey [hidden]' });
    expect(person.shown()).toContain('apiKey: [hidden]');
    expect(person.shown()).not.toContain('s3cr3t');
  });

  test('keeps what was there when nothing is typed', async () => {
    const person = scriptedPerson(['', 'Send']);
    expect(await askForm(person.questions, login, who, new Map([['apiKey', 'given']]))).toMatchObject({
      content: { apiKey: 'given' },
    });
    expect(person.shown()).not.toContain('given');
  });
});

test('texts of the server are safe to print, and short', async () => {
  const request = {
    message: `\x1b[2J${'line\n'.repeat(100)}`,
    schema: {
      type: 'object',
      properties: { '\x1b]0;x\x07': { type: 'string', title: '\u202eevil', description: 'y'.repeat(9_000) } },
    },
  };
  const person = scriptedPerson(['a', 'Send']);
  await askForm(person.questions, request, who);
  for (const unsafe of ['\x1b', '\x07', '\u202e']) expect(person.shown()).not.toContain(unsafe);
  expect(person.shown()).toContain('… 60 more lines');
  expect(person.shown().length).toBeLessThan(2_000);
});

test('a field may be called __proto__', async () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as object;
  const answer = await askForm(scriptedPerson(['x', 'Send']).questions, { message: '', schema }, who);
  expect(JSON.stringify(answer)).toBe('{"action":"accept","content":{"__proto__":"x"}}');
});

test('what has a default cannot be left out: what is sent is what was shown', async () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string', default: 'Oslo' }, guide: { type: 'boolean', default: true } },
  };
  const person = scriptedPerson(['', 'No', 'Send']);
  expect(await askForm(person.questions, { message: 'Where to?', schema }, who)).toEqual({
    action: 'accept',
    content: { city: 'Oslo', guide: false },
  });
  expect(person.asked[2]).toMatchObject({ message: 'guide [optional]', choices: ['Yes', 'No'] });
  expect(person.shown()).toContain('  city: Oslo\n');
});
