import { expect, test } from 'vitest';
import { Refusal } from '../core/refusal.ts';
import type { Authenticate } from '../ports/index.ts';
import { identify } from './identify.ts';

const request = { method: 'POST', url: '/mcp', header: () => undefined, text: () => Promise.resolve('') };
const judge = (judged: unknown) => identify((() => Promise.resolve(judged)) as Authenticate, request, () => undefined);

test('whom the hook names', async () => {
  expect(await judge({ principal: 'ann', scopes: ['a'] })).toEqual({ principal: 'ann', scopes: ['a'] });
});

test('401 says how to authenticate, in the words of the hook if it has any', async () => {
  const refused = async (judged: object) => {
    const refusal = await judge(judged);
    if (!(refusal instanceof Refusal)) throw new Error('it was let in');
    return [refusal.status, refusal.headers];
  };
  expect(await refused({ status: 401 })).toEqual([401, { 'www-authenticate': 'Bearer' }]);
  const headers = { 'WWW-Authenticate': 'Bearer scope="a"', 'X-More': '1' };
  expect(await refused({ status: 401, headers })).toEqual([
    401,
    { 'www-authenticate': 'Bearer scope="a"', 'x-more': '1' },
  ]);
  expect(await refused({ status: 403 })).toEqual([403, {}]);
});

test.each([undefined, null, 'ann', true, ['ann']])('a hook that gives %j lets nobody in', async (judged) => {
  await expect(judge(judged)).rejects.toThrow('authenticate must give { principal }');
});
