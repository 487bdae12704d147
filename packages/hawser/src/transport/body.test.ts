import { expect, test } from 'vitest';
import { isToRun } from './body.ts';

test('what runs is a request, alone or among others: answers may come while a door drains', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const answer = { jsonrpc: '2.0', id: 1, result: {} };
  const note = { jsonrpc: '2.0', method: 'notifications/cancelled' };
  for (const body of [request, [request], [answer, request]]) expect(isToRun(body)).toBe(true);
  for (const body of [answer, note, [answer], [answer, note], [], 'x', null]) expect(isToRun(body)).toBe(false);
});
