import { describe, expect, test } from 'vitest';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';

const headers = (given: Record<string, string>) => (name: string) => given[name];
const asks = { origin: 'https://app.test', 'access-control-request-method': 'POST' };
const origin = 'https://app.test';

describe('preflights', () => {
  test.each([
    ['OPTIONS', asks, true],
    ['OPTIONS', { origin }, false],
    ['OPTIONS', { 'access-control-request-method': 'POST' }, false],
    ['GET', asks, false],
    ['POST', asks, false],
  ])('%s %j: %s', (method, given, expected) => {
    expect(isPreflight(method, headers(given as Record<string, string>))).toBe(expected);
  });

  test('[B-75] every header that is asked for is allowed by name, whatever mcp-param-… it is', () => {
    const names = 'authorization,content-type,mcp-param-region,x-api-key';
    expect(preflightHeaders(origin, 'POST', headers({ 'access-control-request-headers': names }))).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': names,
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers',
    });
  });

  test.each([
    ['nothing', undefined],
    ['no text', ''],
    ['no names', 'a: b'],
    ['a line feed', 'a\nset-cookie'],
    ['quotes', '"a"'],
    ['8,193 characters', 'a'.repeat(8_193)],
  ])('what are no names is not repeated: %s', (_, names) => {
    const given = headers(names === undefined ? {} : { 'access-control-request-headers': names });
    expect(preflightHeaders(origin, 'POST', given)).not.toHaveProperty('access-control-allow-headers');
  });

  test('8,192 characters of names are', () => {
    const names = 'a'.repeat(8_192);
    expect(preflightHeaders(origin, 'POST', headers({ 'access-control-request-headers': names }))).toMatchObject({
      'access-control-allow-headers': names,
    });
  });
});

test('[BUG-142 B-75] a page may read what it needs, sends no cookies, and caches tell pages apart', () => {
  const given = corsHeaders(origin);
  expect(given).toEqual({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After',
    vary: 'Origin',
  });
});
