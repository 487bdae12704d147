import { describe, expect, test } from 'vitest';
import { wireOf } from '../wire/index.ts';
import { headerSource, hide, hideIn, legacyHeaders } from './http-headers.ts';

describe('headers of the user', () => {
  test('names become lower case, absent values and those of the protocol are left out', () => {
    const given = {
      'X-Tenant': 'acme',
      Accept: 'x/y',
      'Content-Length': '7',
      'Mcp-Session-Id': 's',
      'MCP-Protocol-Version': '1',
      'Mcp-Method': 'm',
      'Mcp-Name': 'n',
      'Mcp-Param-Region': 'eu',
      'Last-Event-ID': '3',
      'Transfer-Encoding': 'chunked',
      'x-none': undefined as unknown as string,
      'Mcp-Other': 'kept',
    };
    expect(headerSource(given)()).toEqual([
      ['x-tenant', 'acme'],
      ['mcp-other', 'kept'],
    ]);
  });

  test('fixed ones are checked at once, those of a function each time', async () => {
    expect(() => headerSource({ 'x-a': 'ż' })).toThrow('x-a');
    const source = headerSource(() => ({ 'x-a': 'a\nb' }));
    await expect(source()).rejects.toMatchObject({ code: 'bad_argument' });
  });
});

describe('headers of a legacy request', () => {
  const wire = wireOf('2025-06-18');

  test.each<['GET' | 'POST' | 'DELETE', Record<string, string>]>([
    ['GET', { accept: 'text/event-stream' }],
    ['POST', { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }],
    ['DELETE', { accept: 'application/json, text/event-stream' }],
  ])('%s', (method, headers) => {
    expect(legacyHeaders(method, undefined)).toEqual(headers);
    const marked = { ...headers, 'mcp-session-id': 's', 'mcp-protocol-version': '2025-06-18' };
    expect(legacyHeaders(method, { id: 's', wire })).toEqual(marked);
  });
});

describe('hide', () => {
  test.each<[string, Record<string, string>, string, string]>([
    [
      'a token, with or without its scheme',
      { authorization: 'Bearer abc123' },
      'Bearer abc123, abc123',
      '[secret], [secret]',
    ],
    ['not the scheme', { authorization: 'Bearer abc123' }, 'Bearer needed', 'Bearer needed'],
    ['the value of a cookie', { cookie: 'sid=abc123; a=b' }, 'no abc123', 'no [secret]'],
    ['what JSON escapes', { 'x-api-key': 'ab"c\\d' }, '"ab\\"c\\\\d"', '"[secret]"'],
    ['no other header', { 'x-tenant': 'acme' }, 'acme', 'acme'],
    ['nothing too short to be one', { authorization: 'abc' }, 'abcdef', 'abcdef'],
    ['the longer before the shorter', { cookie: 'a=1234; b=123456' }, '123456', '[secret]'],
  ])('%s', (_, headers, text, hidden) => {
    expect(hide(text, headers)).toBe(hidden);
  });

  test('in an error, wherever it stands', () => {
    const headers = { authorization: 'Bearer abc123' };
    const error = { code: -32000, message: 'bad abc123', data: { sent: ['Bearer abc123'], n: 1 } };
    expect(hideIn(error, headers)).toEqual({
      code: -32000,
      message: 'bad [secret]',
      data: { sent: ['[secret]'], n: 1 },
    });
    const harmless = { code: 1, message: 'x' };
    expect(hideIn(harmless, headers)).toBe(harmless);
  });
});
