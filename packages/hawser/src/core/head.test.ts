import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptable, bodyTooLarge, gateOrigin, gatePost, loopbackHosts, usualAccept, type HeadPolicy } from './head.ts';

const policy: HeadPolicy = { allowedHosts: loopbackHosts, allowedOrigins: ['https://app.test'], maxBodyBytes: 100 };
const headers = (values: Record<string, string | undefined>) => (name: string) => values[name];

describe('acceptable', () => {
  test.each([
    [undefined, 'both'],
    [usualAccept, 'both'],
    ['text/event-stream, application/json', 'both'],
    ['text/event-stream,application/json', 'both'],
    ['APPLICATION/JSON, Text/Event-Stream', 'both'],
    ['*/*', 'both'],
    ['text/html, */*;q=0.1', 'both'],
    ['application/*, text/event-stream;q=0.5', 'both'],
    ['application/json;q=0.001, text/*', 'both'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['*/*, text/event-stream;q=0', 'json'],
    ['text/event-stream', 'sse'],
    ['text/*', 'sse'],
    ['application/json;q=0, */*', 'sse'],
    ['application/json;q=0, text/event-stream', 'sse'],
    ['*/*;q=0', 'none'],
    ['application/json;q=0', 'none'],
    ['application/json; q=0.000', 'none'],
    ['text/html', 'none'],
    ['application/jsonp', 'none'],
    ['application/json-seq', 'none'],
    ['xapplication/json', 'none'],
    ['', 'none'],
    [',', 'none'],
  ])('%j: %s', (accept, expected) => {
    expect(acceptable(accept)).toBe(expected);
  });

  test('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (accept) => {
        expect(['both', 'json', 'sse', 'none']).toContain(acceptable(accept));
      }),
    );
  });
});

describe('gateOrigin', () => {
  const verdict = (host: string | undefined, origin?: string, more: Partial<HeadPolicy> = {}) =>
    gateOrigin({ ...policy, ...more }, headers({ host, origin }))?.status;

  test.each(['localhost', 'localhost:3000', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:3000'])(
    'host %s is this machine',
    (host) => {
      expect(verdict(host)).toBe(undefined);
    },
  );

  test.each([
    undefined,
    '',
    'evil.test',
    'evil.test:3000',
    'localhost.evil.test',
    'evil.test:localhost',
    '127.0.0.1.evil.test:80',
    '::1',
    'x@localhost',
    'localhost:80x',
    'localhost ',
  ])('host %j is not', (host) => {
    expect(verdict(host)).toBe(403);
  });

  test('a listed host stands for all its ports, a listed port for itself', () => {
    const allowedHosts = ['mcp.test', 'other.test:8443'];
    expect(verdict('mcp.test', undefined, { allowedHosts })).toBe(undefined);
    expect(verdict('MCP.test:99', undefined, { allowedHosts })).toBe(undefined);
    expect(verdict('other.test:8443', undefined, { allowedHosts })).toBe(undefined);
    expect(verdict('other.test:443', undefined, { allowedHosts })).toBe(403);
    expect(verdict('other.test', undefined, { allowedHosts })).toBe(403);
    expect(verdict('localhost', undefined, { allowedHosts })).toBe(403);
    expect(verdict('evil.test', undefined, { allowedHosts: 'any' })).toBe(undefined);
    expect(verdict(undefined, undefined, { allowedHosts: 'any' })).toBe(undefined);
  });

  test.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost:3000', 'https://LOCALHOST:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['localhost:3000', 'https://app.test'],
  ])('at %s, origin %s is at home or listed', (host, origin) => {
    expect(verdict(host, origin)).toBe(undefined);
  });

  test.each([
    'null',
    '',
    'http://evil.test',
    'http://localhost.evil.test:3000',
    'http://localhost:9999',
    'http://localhost',
    'https://app.test:444',
    'https://app.test.evil.test',
    'http://app.test',
    'file://localhost:3000',
    'http://localhost:3000/path',
    'http://x@localhost:3000',
    'http://localhost:3000, http://localhost:3000',
    'javascript:localhost:3000',
  ])('origin %j is a stranger', (origin) => {
    expect(verdict('localhost:3000', origin)).toBe(403);
  });

  test('a stranger is refused even where the host is not looked at', () => {
    expect(verdict('evil.test', 'http://other.test', { allowedHosts: 'any' })).toBe(403);
    expect(verdict(undefined, 'http://other.test', { allowedHosts: 'any' })).toBe(403);
  });

  test('lets nothing but listed hosts through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (host) => {
        const allowed = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);
        expect(verdict(host)).toBe(allowed ? undefined : 403);
      }),
    );
  });
});

describe('gatePost', () => {
  const verdict = (values: Record<string, string | undefined>) =>
    gatePost(policy, headers({ 'content-type': 'application/json', ...values }));

  test.each([
    ['application/json', undefined],
    ['application/json; charset=utf-8', undefined],
    ['application/json;charset=utf-8', undefined],
    ['Application/JSON', undefined],
    [undefined, 415],
    ['', 415],
    ['text/plain', 415],
    ['text/json', 415],
    ['application/jsonx', 415],
    ['application/json-rpc', 415],
    ['x/application/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=application/json', 415],
  ])('content type %j: %s', (type, status) => {
    expect(verdict({ 'content-type': type })?.status).toBe(status);
  });

  test('an announced length at the bound passes, one past it does not', () => {
    expect(verdict({ 'content-length': '100' })).toBe(undefined);
    expect(verdict({ 'content-length': '101' })).toBe(bodyTooLarge);
    expect(verdict({})).toBe(undefined);
  });

  test('only a caller that takes neither type is sent away', () => {
    expect(verdict({ accept: 'text/html' })?.status).toBe(406);
    for (const accept of ['text/event-stream', 'application/json', '*/*', undefined])
      expect(verdict({ accept })).toBe(undefined);
  });
});
