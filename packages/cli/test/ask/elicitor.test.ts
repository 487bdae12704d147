import { expect, test } from 'vitest';
import { Elicitor } from '../../src/ask/elicitor.ts';
import type { Questions } from '../../src/ask/questions.ts';
import { collect } from '../fixtures/output.ts';
import { scriptedPerson } from '../fixtures/questions.ts';

const form = (message: string) => ({ message, schema: { type: 'object', properties: { a: { type: 'string' } } } });

function setUp(questions: (signal: AbortSignal) => Promise<Questions>) {
  const failures: unknown[] = [];
  const { output: stderr, text: written } = collect();
  const elicitor = new Elicitor({
    questions,
    answers: [],
    stderr,
    openUrl: undefined,
    resends: () => false,
    hide: () => {},
    fail: (error) => failures.push(error),
  });
  return { elicitor, failures, stderr, written };
}

/** A promise, and what opens it. */
function gate(): [Promise<void>, () => void] {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => (open = resolve));
  return [promise, () => open()];
}

test('one question stands on the terminal at a time, and other output waits meanwhile', async () => {
  const [answered, answer] = gate();
  const [begun, begin] = gate();
  const person = scriptedPerson(['one', 'Send', 'two', 'Send']);
  const slow: Questions = {
    ...person.questions,
    text: async (question) => {
      begin();
      await answered;
      return person.questions.text(question);
    },
  };
  const { elicitor, stderr, written } = setUp(() => Promise.resolve(slow));
  const asker = { server: 'demo', signal: new AbortController().signal };
  const both = Promise.all([elicitor.form(form('First?'), asker), elicitor.form(form('Second?'), asker)]);
  await begun;
  stderr.line('a warning');
  expect(person.shown()).toContain('First?');
  expect(person.shown()).not.toContain('Second?');
  expect(written()).toBe('');
  answer();
  expect(await both).toEqual([
    { action: 'accept', content: { a: 'one' } },
    { action: 'accept', content: { a: 'two' } },
  ]);
  expect(written()).toBe('a warning\n');
});

test('a question nobody waits for any more is cancelled, and is no failure', async () => {
  const giveUp = new AbortController();
  const { elicitor, failures } = setUp((signal) => {
    giveUp.abort();
    signal.throwIfAborted();
    return Promise.reject(new Error('not reached'));
  });
  const asker = { server: 'demo', signal: giveUp.signal };
  expect(await elicitor.form(form('First?'), asker)).toEqual({ action: 'cancel' });
  expect(await elicitor.form(form('Second?'), asker)).toEqual({ action: 'cancel' });
  expect(failures).toEqual([]);
});

test('what goes wrong while asking cancels the question and ends the command', async () => {
  const { elicitor, failures } = setUp(() => Promise.reject(new Error('the terminal is gone')));
  const asker = { server: 'demo', signal: new AbortController().signal };
  expect(await elicitor.form(form('First?'), asker)).toEqual({ action: 'cancel' });
  expect(failures).toEqual([new Error('the terminal is gone')]);
});
