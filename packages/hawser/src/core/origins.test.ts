import { describe, expect, test } from 'vitest';
import { checkedOrigins, originAllowed } from './origins.ts';

const host = 'mcp.test:3000';

describe('which pages may call', () => {
  test.each([
    ['https://app.test', true],
    ['https://app.test:444', false],
    ['http://app.test', false],
    ['https://x.app.test', false],
    ['https://app.test.evil.test', false],
    ['https://app.testx', false],
    ['chrome-extension://abc', true],
    ['null', false],
    ['', false],
    // The endpoint's own.
    ['http://mcp.test:3000', true],
    ['https://MCP.test:3000', true],
    ['http://mcp.test', false],
    ['http://mcp.test:3001', false],
  ])('%s: %s', (origin, allowed) => {
    const list = checkedOrigins(['https://App.test', 'chrome-extension://abc']);
    expect(originAllowed(list, origin, host)).toBe(allowed);
    expect(originAllowed('any', origin, host)).toBe(true);
  });

  test.each([
    ['http://localhost', 'http://localhost', true],
    ['http://localhost', 'http://localhost:6274', true],
    ['http://localhost', 'https://localhost:6274', false],
    ['http://localhost', 'http://localhost.evil.test:6274', false],
    ['http://localhost', 'http://evil.test/http://localhost:1', false],
    ['http://localhost', 'http://127.0.0.1:6274', false],
    ['http://localhost', 'http://localhost:6274:1', false],
    ['http://localhost', 'http://localhost:', false],
    ['https://localhost', 'https://localhost:5173', true],
    ['http://127.0.0.1', 'http://127.0.0.1:5173', true],
    ['http://[::1]', 'http://[::1]:5173', true],
    ['http://localhost:6274', 'http://localhost:6275', false],
    ['http://mine.test', 'http://mine.test:6274', false],
  ])('%s lets %s in: %s', (entry, origin, allowed) => {
    expect(originAllowed(checkedOrigins([entry]), origin, host)).toBe(allowed);
  });
});

describe('the option', () => {
  test('is nobody by default', () => expect(checkedOrigins(undefined)).toEqual([]));

  test.each([
    '*',
    'null',
    '',
    'app.test',
    'https://app.test/',
    'https://app.test/page',
    'https://*.app.test',
    'https://me:secret@app.test',
    'https://a.test, https://b.test',
    'https://app.test:443',
    'http://app.test:80',
    'https://app.test:99999',
    5,
  ])('%j is refused: no browser sends it', (origin) => {
    expect(() => checkedOrigins([origin] as string[])).toThrow(/allowedOrigins.*no origin/);
  });

  test.each(['*', 'http://localhost', 5, {}])('%j is no list', (given) => {
    expect(() => checkedOrigins(given as 'any')).toThrow(/a list of origins, or 'any'/);
  });
});
