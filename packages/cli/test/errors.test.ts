import { describe, expect, test } from 'vitest';
import { explain } from '../src/errors.ts';
import type { Situation } from '../src/errors.ts';
import { UnansweredError } from '../src/ask/unanswered-error.ts';
import { UsageError } from '../src/usage-error.ts';

const connecting: Situation = {
  server: 'https://host/mcp',
  list: (what) => `hawser ${what} https://host/mcp`,
  asked: 'auto',
  steps: ['server/discover (2026-07-28): HTTP 500'],
};
const connected: Situation = { ...connecting, using: 'tools', agreed: { revision: '2025-11-25', era: 'legacy' } };

/** An error of the library's shape. */
function known(code: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message, 'cause' in more ? { cause: more.cause } : undefined), {
    code,
    origin: 'peer',
    ...more,
  });
}

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const rpc = (code: number, data?: unknown) => ({ rpc: { code, message: 'no', data } });

describe('exit codes', () => {
  test.each<[string, Error, number]>([
    ['wrong usage', new UsageError('no'), 2],
    ['bad argument', known('bad_argument', 'no'), 2],
    ['connection', known('connection', 'no'), 3],
    ['timeout', known('timeout', 'no'), 3],
    ['HTTP 404', known('http_status', 'no', { status: 404 }), 3],
    ['HTTP 503', known('server_error', 'no', { status: 503 }), 3],
    ['stream closed', known('stream_closed', 'no'), 3],
    ['JSON-RPC error', known('rpc_error', 'no', rpc(-32603)), 4],
    ['JSON-RPC error with HTTP 400', known('rpc_error', 'no', { ...rpc(-32602), status: 400 }), 4],
    ['version', known('unsupported_version', 'no', rpc(-32022)), 4],
    ['capability', known('capability', 'no'), 4],
    ['invalid response', known('invalid_response', 'no'), 4],
    ['a question that is none', known('input_required', 'no', { origin: 'peer' }), 4],
    ['a question hawser has no answer to', known('input_required', 'no', { origin: 'local' }), 6],
    ['HTTP 401', known('unauthorized', 'no', { status: 401 }), 5],
    ['HTTP 403', known('http_status', 'no', { status: 403 }), 5],
    ['scope', known('insufficient_scope', 'no', { status: 403 }), 5],
    ['a fault of our own', known('internal', 'no'), 70],
    ['any other error', new TypeError('no'), 70],
  ])('%s', (_, error, exitCode) => {
    expect(explain(error, connecting).exitCode).toBe(exitCode);
  });
});

describe('lines', () => {
  test('what failed, where, what to do about it', () => {
    expect(explain(known('connection', 'connection refused', { cause: refused }), connecting).lines).toEqual([
      'hawser: connection refused',
      '  at https://host/mcp, no revision agreed on yet (--protocol auto: server/discover (2026-07-28): HTTP 500)',
      '  hint: start the server, or check host and port',
    ]);
  });

  test('what nothing came back for is not listed', () => {
    const steps = ['server/discover (2026-07-28): no answer'];
    expect(explain(known('connection', 'no'), { ...connecting, steps }).lines[1]).toBe(
      '  at https://host/mcp, no revision agreed on yet (--protocol auto)',
    );
  });

  test('after connecting they name revision and era', () => {
    expect(explain(known('rpc_error', 'bad', rpc(-32602)), connected).lines).toEqual([
      'hawser: the server answered with error -32602: bad',
      '  at https://host/mcp, revision 2025-11-25 (legacy)',
      '  hint: hawser tools https://host/mcp shows which arguments the tool takes',
    ]);
  });

  test('a question nobody could answer is exit code 6, with how to answer', () => {
    const { lines, exitCode, code } = explain(new UnansweredError('the server asks "Who?"', 'give it'), connected);
    expect(lines).toEqual([
      'hawser: the server asks "Who?"',
      '  at https://host/mcp, revision 2025-11-25 (legacy)',
      '  hint: give it',
    ]);
    expect({ exitCode, code }).toEqual({ exitCode: 6, code: 'unanswered' });
  });

  test('wrong usage needs no place', () => {
    expect(explain(new UsageError('no tool is named', 'name one'), connected).lines).toEqual([
      'hawser: no tool is named',
      '  hint: name one',
    ]);
  });

  test.each<[string, Error, Situation, RegExp]>([
    ['401 without credentials', known('unauthorized', 'no', { status: 401 }), connecting, /--header-env/],
    [
      '401 with some',
      known('unauthorized', 'no', { status: 401 }),
      { ...connecting, credentials: true },
      /did not accept/,
    ],
    [
      'version',
      known('unsupported_version', 'no', rpc(-32022, { supported: ['2025-06-18', 7] })),
      connecting,
      /--protocol auto; the server speaks 2025-06-18$/,
    ],
    [
      'a revision that was asked for',
      known('method_not_found', 'no', rpc(-32601)),
      { ...connecting, asked: 'modern' },
      /--protocol auto/,
    ],
    ['no MCP at all', known('invalid_response', 'no'), connecting, /\/mcp/],
    ['a slip later on', known('invalid_response', 'no'), connected, /--verbose/],
    [
      'HTTP+SSE',
      known('http_status', 'no', { status: 404 }),
      { ...connecting, server: 'https://host/sse' },
      /HTTP\+SSE transport of 2024-11-05 is not supported/,
    ],
    ['404', known('http_status', 'no', { status: 404 }), connecting, /\/mcp/],
    ['timeout', known('timeout', 'no'), connected, /--timeout/],
    ['no such resource', known('resource_not_found', 'no', rpc(-32602)), connected, /hawser resources \S+ lists what/],
    ['what is not offered', known('capability', 'no'), connected, /hawser discover \S+ shows what it offers/],
    [
      'arguments of a prompt',
      known('rpc_error', 'no', rpc(-32602)),
      { ...connected, using: 'prompts' },
      /hawser prompts \S+ shows which arguments it takes/,
    ],
    [
      'a page to visit first',
      known('rpc_error', 'no', rpc(-32042, { elicitations: [{ mode: 'url', url: 'https://a.test/x' }] })),
      connected,
      /go to https:\/\/a\.test\/x, then run this again/,
    ],
    [
      'a resource',
      known('rpc_error', 'no', rpc(-32602)),
      { ...connected, using: 'resources' },
      /lists what can be read/,
    ],
    ['nothing of a list', known('rpc_error', 'no', rpc(-32602)), { ...connected, using: undefined }, /--verbose/],
    ['an unknown cursor', known('rpc_error', 'unknown cursor', rpc(-32602)), connected, /--verbose/],
    ['a program that ended', known('connection', 'no'), { ...connecting, started: true }, /by itself/],
    [
      'several addresses refused',
      known('connection', 'no', { cause: new AggregateError([refused, refused]) }),
      connecting,
      /host and port/,
    ],
  ])('hint for %s', (_, error, situation, hint) => {
    expect(explain(error, situation).lines.at(-1)).toMatch(hint);
  });

  test('are at most three, short, and safe to print whatever the peer says', () => {
    const message = '\x1b[2J\nline '.repeat(200);
    const { lines } = explain(known('rpc_error', message, { rpc: { code: -32603, message } }), {
      ...connected,
      server: message,
    });
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) {
      expect(line.length).toBeLessThan(450);
      expect(line).not.toMatch(/\p{Cc}/u);
    }
  });

  test('a chain of causes that bites its own tail ends', () => {
    const loop = known('connection', 'no');
    Object.assign(loop, { cause: loop });
    expect(explain(loop, connecting).exitCode).toBe(3);
  });
});
