/** A server on this machine and web pages whose name was bound to it: Host and Origin. */
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import {
  bareSocket,
  call,
  expectRefusal,
  initialize,
  nodeEndpoint,
  usual,
  webEndpoint,
  type Sent,
} from '../support/http.ts';

/** What is sent from such a page, to run something, to open a session, to look around. */
const kinds: [string, Sent][] = [
  ['tools/call', call('echo')],
  ['initialize', initialize()],
  ['GET', { method: 'GET', headers: usual }],
  ['DELETE', { method: 'DELETE', headers: usual }],
  ['OPTIONS', { method: 'OPTIONS' }],
  ['a preflight', { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }],
  ['HEAD', { method: 'HEAD' }],
];

describe.each(kinds)('%s', (_, sent) => {
  test.each([
    ['host', 'evil.test'],
    ['host', 'evil.test:PORT'],
    ['host', 'localhost.evil.test:PORT'],
    ['host', '127.0.0.1.evil.test'],
    ['origin', 'http://evil.test'],
    ['origin', 'http://evil.test:PORT'],
    ['origin', 'null'],
    ['origin', 'http://localhost.evil.test'],
    ['origin', 'http://localhost.evil.test:PORT'],
    ['origin', 'http://localhost:9999'],
    ['origin', 'https://localhost'],
  ])('[BUG-140 SEC-001 SEED-182] %s: %s gets 403, and nobody is asked who it is', async (name, value) => {
    const { server, runs } = example();
    let asked = 0;
    const endpoint = await nodeEndpoint(server, { maxSessions: 1, authenticate: () => ({ principal: `${++asked}` }) });
    const given = { ...sent, headers: { ...sent.headers, [name]: value.replace('PORT', `${endpoint.port}`) } };
    const answer = await endpoint.send(given);
    if (sent.method === 'HEAD') expect(answer.status).toBe(403);
    else expectRefusal(answer, 403, -32600);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(runs).toEqual([]);
    expect(asked).toBe(0);
  });
});

test.each(['localhost:PORT', '[::1]:PORT', '127.0.0.1:PORT', 'LOCALHOST:PORT', 'localhost', '127.0.0.1', '[::1]:1'])(
  '[BUG-140 SEED-182] Host: %s is this machine, with and without its own Origin',
  async (value) => {
    const endpoint = await nodeEndpoint(example().server);
    const host = value.replace('PORT', `${endpoint.port}`);
    expect((await endpoint.send(call('echo', {}, { headers: { host } }))).status).toBe(200);
    const origin = `http://${host}`;
    expect((await endpoint.send(call('echo', {}, { headers: { host, origin } }))).status).toBe(200);
  },
);

test('[BUG-140 SEED-182] what is listed passes: hosts with any port or with theirs, origins as they are', async () => {
  const endpoint = await nodeEndpoint(example().server, {
    allowedHosts: ['mcp.test', 'Other.test:8443', 'localhost'],
    allowedOrigins: ['https://app.test'],
  });
  const status = async (headers: Record<string, string>) => (await endpoint.send(call('echo', {}, { headers }))).status;
  for (const host of ['mcp.test', 'mcp.test:1', 'MCP.TEST', 'other.test:8443', 'localhost:5'])
    expect(await status({ host })).toBe(200);
  for (const host of ['other.test', 'other.test:1', '127.0.0.1', '[::1]']) expect(await status({ host })).toBe(403);
  const host = 'mcp.test';
  expect(await status({ host, origin: 'https://app.test' })).toBe(200);
  for (const origin of ['https://app.test:444', 'http://app.test', 'https://x.app.test', 'https://app.test.evil.test'])
    expect(await status({ host, origin })).toBe(403);
});

test('[BUG-140] a stranger is refused before the body is read', async () => {
  const endpoint = await nodeEndpoint(example().server);
  const { socket, ended } = bareSocket(endpoint.port);
  const answered = new Promise((resolve) => {
    socket.once('data', resolve);
  });
  socket.write(
    'POST /mcp HTTP/1.1\r\nHost: evil.test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"json',
  );
  expect(String(await answered)).toMatch(/^HTTP\/1\.1 403 /);
  socket.destroy();
  await ended;
});

test('[SEC-001] the web door looks at Origin, and at Host where it is told to', async () => {
  const { server } = example();
  const open = webEndpoint(server, { allowedOrigins: ['https://app.test'] });
  const status = async (headers: Record<string, string>, endpoint = open) =>
    (await endpoint.send(call('echo', {}, { headers }))).status;
  expect(await status({})).toBe(200);
  expect(await status({ origin: 'http://localhost' })).toBe(200);
  expect(await status({ origin: 'https://app.test' })).toBe(200);
  for (const origin of ['null', 'http://evil.test', 'http://localhost:1']) expect(await status({ origin })).toBe(403);
  expect(await status({}, webEndpoint(server, { allowedHosts: ['localhost'] }))).toBe(200);
  expect(await status({}, webEndpoint(server, { allowedHosts: ['mcp.test'] }))).toBe(403);
});
