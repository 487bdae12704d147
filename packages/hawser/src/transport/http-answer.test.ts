import { describe, expect, test } from 'vitest';
import { silent } from '../base/logger.ts';
import type { HttpResponse } from '../ports/index.ts';
import { readAnswer, type Asked, type Reading } from './http-answer.ts';

const failure = new Error('of a listener');
const broken = (): never => {
  throw failure;
};

function answer(type: string, ...messages: object[]): HttpResponse {
  const whole = { jsonrpc: '2.0', id: 1, result: { done: true } };
  const all = [...messages.map((message) => ({ jsonrpc: '2.0', ...message })), whole];
  const text =
    type === 'application/json'
      ? JSON.stringify(all)
      : all.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
  return {
    status: 200,
    header: (name) => (name === 'content-type' ? type : undefined),
    text: () => Promise.resolve(text),
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  };
}

function asked(modern: boolean): Asked {
  const params = { _meta: { progressToken: 7 } };
  return { call: { method: 'tools/call', params }, id: 1, modern, headers: {}, emit: broken };
}

const reading = (logger: Reading['logger'], more: Partial<Reading> = {}): Reading => ({
  maxResponseBytes: 1_000,
  maxEventBytes: 1_000,
  logger,
  frame: undefined,
  aside: broken,
  ...more,
});

const progress = { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } };
const notice = { method: 'notifications/x' };
const request = { id: 'q', method: 'ping' };

describe('listeners that throw do not get between a request and its answer', () => {
  test.each([
    ['modern', 'text/event-stream', true, [progress, notice]],
    ['legacy', 'text/event-stream', false, [progress, notice, request]],
    ['legacy', 'application/json', false, [progress, notice, request]],
  ])('%s, %s', async (_, type, modern, messages) => {
    const errors: unknown[] = [];
    const logger = { ...silent, error: (...args: unknown[]) => void errors.push(args) };
    const found = await readAnswer(answer(type, ...messages), asked(modern), reading(logger));
    expect(found).toEqual({ result: { done: true } });
    expect(errors).toEqual(messages.map(() => ['a listener threw', failure]));
    // A log that throws as well has nobody left to tell.
    const deaf = reading({ ...silent, error: broken });
    expect(await readAnswer(answer(type, ...messages), asked(modern), deaf)).toEqual(found);
  });

  test('what fails in reading itself is no stream that broke: nobody is to send the request again', async () => {
    const failing = readAnswer(answer('text/event-stream'), asked(true), reading(silent, { frame: broken }));
    await expect(failing).rejects.toBe(failure);
  });
});
