import { describe, expect, test } from 'vitest';
import { maskHeaders, maskUrl, Secret } from './secret.ts';

describe('Secret', () => {
  test('only reveal gives it away', () => {
    const secret = new Secret('hunter2');
    const shown = [
      String(secret),
      'a text with ' + String(secret),
      JSON.stringify({ secret, list: [secret] }),
      (secret as unknown as Record<symbol, () => string>)[Symbol.for('nodejs.util.inspect.custom')]?.() ?? 'hunter2',
      Object.keys(secret).join(),
      JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
      JSON.stringify(structuredClone(secret)),
    ];
    for (const text of shown) expect(text).not.toContain('hunter2');
    expect(shown[0]).toBe('[secret]');
    expect(secret.reveal()).toBe('hunter2');
  });
});

describe('maskHeaders', () => {
  test.each([
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'set-cookie',
    'Mcp-Session-Id',
    'DPoP',
    'X-Api-Key',
    'x-apikey',
    'api_key',
    'X-Auth-Token',
    'x-auth',
    'x-amz-security-token',
    'Ocp-Apim-Subscription-Key',
    'client-secret',
    'X-Password',
    'X-Session',
    'x-hub-signature-256',
    'X-Credentials',
  ])('%s is masked', (name) => {
    expect(maskHeaders({ [name]: 'hunter2' })).toEqual({ [name]: '[secret]' });
  });

  test.each([
    'Content-Type',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Accept',
    'Host',
    'X-Request-Id',
    'x-author',
    'x-keyboard',
    'Www-Authenticate',
  ])('%s is shown', (name) => {
    expect(maskHeaders({ [name]: 'plain' })).toEqual({ [name]: 'plain' });
  });

  test('the headers given are left alone', () => {
    const headers = Object.freeze({ Authorization: 'hunter2', Accept: 'a' });
    expect(maskHeaders(headers)).toEqual({ Authorization: '[secret]', Accept: 'a' });
    expect(headers.Authorization).toBe('hunter2');
  });
});

describe('maskUrl', () => {
  test.each([
    ['https://user:hunter2@example.test:8443/mcp?key=hunter2#hunter2', 'https://example.test:8443/mcp?…'],
    ['https://example.test/mcp', 'https://example.test/mcp'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/'],
    ['hunter2', '[not a URL]'],
    ['', '[not a URL]'],
  ])('%s', (url, shown) => {
    expect(maskUrl(url)).toBe(shown);
  });

  test('takes a URL object', () => {
    expect(maskUrl(new URL('https://a:b@example.test/x?y'))).toBe('https://example.test/x?…');
  });
});
