import { anything, assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorText, isRequestId, noteText, readError, readMessage, requestText, resultText } from './jsonrpc.ts';

describe('requests', () => {
  test.each([0, 1, -1, 9_007_199_254_740_991, -9_007_199_254_740_991, '', '0', '1', 'a', 'é'])(
    '[BASE-003 BUG-093] %j is an id and stays what it is',
    (id) => {
      expect(readMessage({ jsonrpc: '2.0', id, method: 'm' })).toEqual({
        kind: 'request',
        id,
        method: 'm',
        params: undefined,
      });
    },
  );

  test.each([null, 1.5, true, false, {}, [], [1], 2 ** 53, -(2 ** 53), 1e300, NaN])(
    '[BASE-003 BUG-093] %j is no id: neither a request nor a notification',
    (id) => {
      expect(isRequestId(id)).toBe(false);
      expect(readMessage({ jsonrpc: '2.0', id, method: 'm' })).toMatchObject({
        kind: 'invalid',
        id: undefined,
        code: -32600,
      });
    },
  );

  test.each([
    ['no version', { id: 1, method: 'm' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'm' }],
    ['a version that is a number', { jsonrpc: 2, id: 1, method: 'm' }],
    ['a method that is no string', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['neither method nor result nor error', { jsonrpc: '2.0', id: 1 }],
  ])('[BASE-001 BASE-029] %s: -32600 with the id', (_, message) => {
    expect(readMessage(message)).toMatchObject({ kind: 'invalid', id: 1, code: -32600 });
  });

  test.each([undefined, null, 5, 'text', true, [], [{ jsonrpc: '2.0', id: 1, method: 'm' }]])(
    '[BASE-029] %j is no message: -32600 without an id',
    (message) => {
      expect(readMessage(message)).toMatchObject({ kind: 'invalid', id: undefined, code: -32600 });
    },
  );

  test.each([null, 5, 'text', true, [], [{}]])('[BASE-029] params %j: -32602 with the id', (params) => {
    expect(readMessage({ jsonrpc: '2.0', id: 'a', method: 'm', params })).toMatchObject({
      kind: 'invalid',
      id: 'a',
      code: -32602,
    });
  });

  test('[BASE-038] members that are not known change nothing', () => {
    const params = { a: 1, _meta: { b: 2 }, later: [3] };
    expect(readMessage({ jsonrpc: '2.0', id: 1, method: 'm', params, later: true })).toEqual({
      kind: 'request',
      id: 1,
      method: 'm',
      params,
    });
  });
});

describe('notifications', () => {
  test('[BASE-022] without an id it is a notification', () => {
    expect(readMessage({ jsonrpc: '2.0', method: 'm', params: { a: 1 } })).toEqual({
      kind: 'notification',
      method: 'm',
      params: { a: 1 },
    });
  });

  test.each([null, 5, []])('params %j: no message, and nobody to tell', (params) => {
    expect(readMessage({ jsonrpc: '2.0', method: 'm', params })).toMatchObject({ kind: 'invalid', id: undefined });
  });
});

describe('responses', () => {
  test.each([0, '0', 'a'])('a result for %j', (id) => {
    expect(readMessage({ jsonrpc: '2.0', id, result: { a: 1 } })).toEqual({ kind: 'result', id, result: { a: 1 } });
  });

  test.each([
    ['both a result and an error', { id: 1, result: {}, error: { code: 1, message: 'm' } }, 1],
    ['a result that is null', { id: 1, result: null }, 1],
    ['a result that is a list', { id: 1, result: [] }, 1],
    ['a result that is text', { id: 1, result: 'done' }, 1],
    ['a result without an id', { result: {} }, undefined],
    ['a result for no id', { id: null, result: {} }, undefined],
    ['an error that is text', { id: 1, error: 'no' }, 1],
    ['an error that is null', { id: 1, error: null }, 1],
    ['an error without a code', { id: 1, error: { message: 'm' } }, 1],
    ['a code that is text', { id: 1, error: { code: '-32600', message: 'm' } }, 1],
    ['a code with a fraction', { id: 1, error: { code: 1.5, message: 'm' } }, 1],
    ['an error without a message', { id: 1, error: { code: -32600 } }, 1],
    ['a message that is no text', { id: 1, error: { code: -32600, message: 5 } }, 1],
  ])('[BASE-008 BASE-015] broken: %s', (_, message, id) => {
    expect(readMessage({ jsonrpc: '2.0', ...message })).toMatchObject({ kind: 'broken-response', id });
  });

  test.each([{ id: null }, {}])('[BASE-008] an error for a message nobody could read: %j', (id) => {
    const error = { code: -32700, message: 'parse error' };
    expect(readMessage({ jsonrpc: '2.0', ...id, error })).toEqual({ kind: 'error', id: undefined, error });
  });

  test.each([null, 0, '', false, [1], { deep: { down: true } }])(
    '[BASE-015] data of an error is any JSON: %j',
    (data) => {
      expect(readError({ code: 7, message: 'm', data, more: 1 })).toEqual({ code: 7, message: 'm', data });
      expect(readError({ code: 7, message: 'm' })).toEqual({ code: 7, message: 'm' });
    },
  );

  test('whatever comes, it is told what it is', () => {
    assert(
      property(anything(), anything(), anything(), (id, method, rest) => {
        expect(readMessage(rest).kind).toBeTypeOf('string');
        expect(readMessage({ jsonrpc: '2.0', id, method, result: rest, error: rest }).kind).toBeTypeOf('string');
        expect(readMessage({ jsonrpc: '2.0', id, method, params: rest }).kind).toBeTypeOf('string');
      }),
    );
  });
});

describe('writing', () => {
  test.each([0, 1, -5, '0', '1', 'a"b\\', 'é\n'])('[BASE-006] the id %j keeps value and type', (id) => {
    expect(JSON.parse(resultText(id, '{"a":1}'))).toEqual({ jsonrpc: '2.0', id, result: { a: 1 } });
    expect(JSON.parse(errorText(id, { code: -32601, message: 'm' }))).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: 'm' },
    });
    expect(JSON.parse(requestText(id, 'm', { a: 1 }))).toEqual({ jsonrpc: '2.0', id, method: 'm', params: { a: 1 } });
  });

  test('[BASE-007] an error without an id, where none could be read', () => {
    const error = { code: -32700, message: 'm', data: [1] };
    expect(JSON.parse(errorText(undefined, error))).toEqual({ jsonrpc: '2.0', error });
  });

  test('[BASE-008] or with id null, where the revision wants one', () => {
    const error = { code: -32700, message: 'm' };
    expect(JSON.parse(errorText(undefined, error, true))).toEqual({ jsonrpc: '2.0', id: null, error });
    expect(JSON.parse(errorText(0, error, true))).toEqual({ jsonrpc: '2.0', id: 0, error });
  });

  test('[BASE-022] a notification has no id, and no params unless there are some', () => {
    expect(JSON.parse(noteText('m', undefined))).toEqual({ jsonrpc: '2.0', method: 'm' });
    expect(JSON.parse(noteText('m', { a: 1 }))).toEqual({ jsonrpc: '2.0', method: 'm', params: { a: 1 } });
  });
});
