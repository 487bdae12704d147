import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { serveDemo } from './fixtures/demo-http.ts';
import { runInProcess as hawser } from './fixtures/in-process.ts';
import { scriptCommand } from './fixtures/run.ts';

const demo = await serveDemo();

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** An HTTP server that is no MCP server. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // it listens on TCP
}

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(code, headers).end();
  };

describe('failures', () => {
  test('nobody listens: exit code 3', async () => {
    const url = await serve(status(200));
    await closers.pop()?.();
    const { exitCode, stdout, stderr } = await hawser(['tools', url]);
    expect(stderr).toContain(`at ${url}, no revision agreed on yet (--protocol auto)`);
    expect(stderr).toContain('hint: start the server, or check host and port');
    expectBrief(stderr);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  });

  test.each([
    [401, 5, /--header-env/],
    [403, 5, /credentials/],
    [500, 3, /hint/],
    [503, 3, /hint/],
  ])('HTTP %i: exit code %i', async (code, expected, hint) => {
    const { exitCode, stderr } = await hawser(['tools', await serve(status(code)), '--timeout', '5']);
    expect(stderr).toMatch(hint);
    expectBrief(stderr);
    expect(exitCode).toBe(expected);
  });

  test('a page that is no MCP: exit code 4', async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    });
    const { exitCode, stderr } = await hawser(['tools', url]);
    expect(stderr).toContain('hint: check the path');
    expectBrief(stderr);
    expect(exitCode).toBe(4);
  });

  test('a command that does not exist: exit code 3, named', async () => {
    const { exitCode, stderr } = await hawser(['tools', '--', 'no-such-mcp-server', 'hunter2']);
    expect(stderr).toContain('no-such-mcp-server');
    expect(stderr).toContain('hint: check the spelling of the command');
    expect(stderr).not.toContain('hunter2');
    expectBrief(stderr);
    expect(exitCode).toBe(3);
  });

  test('[BUG-003] a server that ends when asked: exit code 3, and how to see why', async () => {
    const { exitCode, stderr } = await hawser(['tools', '--', ...scriptCommand('crash.mjs')]);
    expectBrief(stderr);
    expect(exitCode).toBe(3);
  });

  test('the time is up: exit code 3, and the option is named', async () => {
    const { exitCode, stderr } = await hawser(['call', demo, 'wait', '--timeout', '300ms']);
    expect(stderr).toMatch(/hint: allow more time: --timeout/);
    expectBrief(stderr);
    expect(exitCode).toBe(3);
  });

  test('--json gives a failure as one document', async () => {
    const { exitCode, stdout } = await hawser(['tools', '--json', await serve(status(401))]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unauthorized', exitCode: 5 } });
    expect(exitCode).toBe(5);
  });
});

describe('secrets', () => {
  test('[BUG-163] are masked in frames and errors, also when the server repeats them', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization, request.headers['x-tenant'] as string);
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"bad key s3cr3t-tok of blue-team"}}');
    });
    const args = [
      'tools',
      `${url}?key=q-s3cr3t`,
      '--header-env',
      'Authorization=TOKEN',
      '--header',
      'X-Tenant: blue-team',
    ];
    for (const more of [[], ['--verbose'], ['--json']]) {
      const { stdout, stderr } = await hawser([...args, ...more], { env: { TOKEN: 'Bearer s3cr3t-tok' } });
      expect(stderr).toContain('hawser: ');
      expect(stdout + stderr).not.toMatch(/s3cr3t|blue-team/);
    }
    expect(seen.slice(0, 2)).toEqual(['Bearer s3cr3t-tok', 'blue-team']);
  });
});

describe('--verbose', () => {
  test('shows both directions with times on standard error only', async () => {
    const { exitCode, stdout, stderr } = await hawser(['call', demo, 'echo', 'text=hi', '--verbose']);
    expect(stdout).toBe('hi\n');
    expect(stderr).toMatch(/^ *\d+ ms → .*"server\/discover"/m);
    expect(stderr).toMatch(/^ *\d+ ms → .*"tools\/call"/m);
    expect(stderr).toMatch(/^ *\d+ ms ← .*"text":"hi"/m);
    expect(exitCode).toBe(0);
  });
});

/** At most three lines without a stack, beginning with the name of the command. */
function expectBrief(stderr: string): void {
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
  expect(stderr).toMatch(/^hawser: /);
  expect(stderr).not.toMatch(/^ {4}at /m);
}
