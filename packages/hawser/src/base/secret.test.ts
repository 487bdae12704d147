import { describe, expect, test } from 'vitest';
import { maskHeaders, maskUrl, maskUrlText, Secret } from './secret.ts';

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

describe('maskUrlText', () => {
  test.each([
    ['https://me:s3cret@host/mcp?k=1#f', 'https://host/mcp?…'],
    ['https://${USER}:${PASS}@${HOST}/mcp', 'https://${HOST}/mcp'],
    ['https://${HOST}/${PATH}/mcp?k=${KEY}', 'https://${HOST}/${PATH}/mcp?…'],
    ['https://registry.test/@scope/name/mcp?k=1', 'https://registry.test/@scope/name/mcp?…'],
    ['http://localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['http://h/?', 'http://h/'],
    ['http://h/#f', 'http://h/'],
    ['/mcp?k', '/mcp?…'],
    ['', ''],
  ])('%s', (text, shown) => {
    expect(maskUrlText(text)).toBe(shown);
  });

  test.each([
    'https://me:s3/cret@host/mcp',
    'https://me:s3?cret@host/mcp',
    'https://me:s3#cret@host/mcp',
    'https://me:s3\\cret@host/mcp',
    'https://me:12/s3cret@host/mcp',
    'https://me:12?s3cret@host/mcp',
    'https://me:12/@host/mcp',
    'https://me/too:s3cret@host',
    'https://s3cr/et==@host',
    'https://s3cr?et==@host',
    'https://me:12@s3/cret@host',
    'https://me:12@s3.cret/x@host',
    'me:s3/cret@host/mcp',
    'https://me:s3/cret@host/mcp?email=a@b',
    'https:/me:s3/cret@host/mcp',
  ])('of a password that ends the host too early nothing is shown: %s', (text) => {
    for (const shown of [maskUrlText(text), maskUrl(text)]) expect(shown).not.toMatch(/s3|cr|12|et|==/);
  });

  test.each([
    ['https://example.test:8443/files/me@example.test', 'https://example.test/…'],
    ['https://example.test/mcp?user=me@example.test', 'https://example.test/…'],
    ['https://[::1]:8080/me@x', 'https://[::1]/…'],
    ['http://localhost:3000/@me/mcp', 'http://localhost/…'],
    ['https://${HOST}/me@x', 'https://${HOST}/…'],
  ])('what looks like a host is shown all the same: %s', (text, shown) => {
    expect(maskUrlText(text)).toBe(shown);
  });

  test('a long one takes no time', () => {
    expect(maskUrlText(`https://${'/'.repeat(500_000)}@${'@'.repeat(500_000)}`)).toBe('https://…');
  });
});
