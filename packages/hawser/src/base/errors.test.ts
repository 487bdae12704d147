import { describe, expect, test, vi } from 'vitest';
import * as errors from './errors.ts';

const { McpError, rpcError } = errors;

describe('the hierarchy', () => {
  const rpc = { code: -32_000, message: 'no', data: { a: 1 } };
  const made: [
    name: string,
    error: InstanceType<typeof McpError>,
    code: errors.ErrorCode,
    origin: string,
    outcome?: string,
  ][] = [
    ['ArgumentError', new errors.ArgumentError('x'), 'bad_argument', 'local'],
    ['CapabilityError', new errors.CapabilityError('x'), 'capability', 'local', 'not-sent'],
    ['TransportError', new errors.TransportError('x'), 'transport', 'transport', 'unknown'],
    ['ConnectionError', new errors.ConnectionError('x'), 'connection', 'transport', 'unknown'],
    ['RequestTimeoutError', new errors.RequestTimeoutError(5, 'ping'), 'timeout', 'transport', 'unknown'],
    ['ResponseTooLargeError', new errors.ResponseTooLargeError(5), 'response_too_large', 'peer', 'unknown'],
    ['ResponseStreamClosedError', new errors.ResponseStreamClosedError(), 'stream_closed', 'transport', 'unknown'],
    ['HttpStatusError', new errors.HttpStatusError(400, 'x'), 'http_status', 'peer', 'unknown'],
    ['ServerError', new errors.ServerError(500, 'x'), 'server_error', 'peer', 'unknown'],
    ['TransientServerError', new errors.TransientServerError(503, 'x'), 'server_error', 'peer', 'unknown'],
    ['UnauthorizedError', new errors.UnauthorizedError('x'), 'unauthorized', 'peer', 'refused'],
    ['InsufficientScopeError', new errors.InsufficientScopeError('a', 'b'), 'insufficient_scope', 'peer', 'refused'],
    ['InvalidResponseError', new errors.InvalidResponseError('x'), 'invalid_response', 'peer', 'unknown'],
    ['AbortError', new errors.AbortError('why'), 'aborted', 'local'],
    ['RpcError', new errors.RpcError(rpc), 'rpc_error', 'peer', 'unknown'],
    ['HeaderMismatchError', new errors.HeaderMismatchError(rpc), 'header_mismatch', 'peer', 'refused'],
    ['MethodNotFoundError', new errors.MethodNotFoundError(rpc), 'method_not_found', 'peer', 'refused'],
    [
      'MissingRequiredClientCapabilityError',
      new errors.MissingRequiredClientCapabilityError(rpc),
      'missing_client_capability',
      'peer',
      'refused',
    ],
    [
      'UnsupportedProtocolVersionError',
      new errors.UnsupportedProtocolVersionError(rpc),
      'unsupported_version',
      'peer',
      'refused',
    ],
  ];

  test.each(made)('%s', (name, error, code, origin, outcome) => {
    expect(error).toBeInstanceOf(McpError);
    expect(error).toBeInstanceOf(Error);
    expect({ name: error.name, code: error.code, origin: error.origin, outcome: error.outcome }).toEqual({
      name,
      code,
      origin,
      outcome,
    });
    expect(McpError.is(error)).toBe(true);
  });

  test.each([
    [new errors.RequestTimeoutError(5, 'ping'), [errors.TransportError]],
    [new errors.ResponseTooLargeError(5), [errors.TransportError]],
    [new errors.ResponseStreamClosedError(), [errors.TransportError]],
    [new errors.TransientServerError(503, 'x'), [errors.ServerError, errors.HttpStatusError, errors.TransportError]],
    [new errors.InsufficientScopeError('a', 'b'), [errors.ConnectionError, errors.TransportError]],
    [new errors.UnauthorizedError('x'), [errors.ConnectionError]],
    [new errors.HeaderMismatchError(rpc), [errors.RpcError]],
  ])('%s is what a caller may catch it as', (error, parents) => {
    for (const parent of parents) expect(error).toBeInstanceOf(parent);
  });

  test('[BASE-021] an error made here has no JSON-RPC code, an error of the peer has its own', () => {
    for (const [, error] of made) {
      expect(typeof error.code).toBe('string');
      expect(error.rpc === undefined || error.rpc === rpc).toBe(true);
      expect(error instanceof errors.RpcError).toBe(error.rpc !== undefined);
    }
    expect(new errors.RpcError(rpc).data).toEqual({ a: 1 });
    expect(new errors.RequestTimeoutError(5, 'ping').rpc).toBe(undefined);
  });
});

test('a JSON-RPC error is the class that stands for its code, and keeps code, message and data', () => {
  const classes = [-32_020, -32_021, -32_022, -32_601, -32_602, -32_000, 1].map((code) => {
    const error = rpcError({ code, message: `m${code}`, data: [code] });
    expect([error.rpc?.code, error.message, error.data]).toEqual([code, `m${code}`, [code]]);
    return error.constructor;
  });
  expect(classes).toEqual([
    errors.HeaderMismatchError,
    errors.MissingRequiredClientCapabilityError,
    errors.UnsupportedProtocolVersionError,
    errors.MethodNotFoundError,
    errors.RpcError,
    errors.RpcError,
    errors.RpcError,
  ]);
});

describe('-32021 says which option of connect is missing', () => {
  const message = (requiredCapabilities: unknown): string =>
    rpcError({ code: -32_021, message: 'no', data: { requiredCapabilities } }).message;

  test.each([
    [{ elicitation: {} }, 'onElicit'],
    [{ elicitation: { form: {} } }, 'onElicit'],
    [{ elicitation: { url: {} } }, 'onElicit: { url }'],
    [{ sampling: {} }, 'onSample'],
    [{ sampling: { tools: {}, context: {} } }, 'onSample: { handle, tools: true, context: true }'],
    [{ roots: {} }, 'roots'],
    [{ extensions: { 'x/y': {} } }, 'extensions'],
    [{ elicitation: {}, roots: {} }, 'onElicit and roots'],
  ])('%j: %s', (capabilities, option) => {
    expect(message(capabilities)).toBe(`no (give connect the option ${option})`);
  });

  test.each([undefined, null, 'elicitation', { somethingNew: {} }])('and nothing where nobody knows: %j', (given) => {
    expect(message(given)).toBe('no');
  });
});

describe('another outcome', () => {
  test('is that of a copy, which is the same error in all else', () => {
    const cause = new Error('why');
    const error = new errors.TransientServerError(503, 'busy', { cause, retryAfterMs: 5, outcome: 'refused' });
    const copy = errors.withOutcome(error, 'unknown');
    expect([error.outcome, copy.outcome]).toEqual(['refused', 'unknown']);
    expect(copy).toBeInstanceOf(errors.TransientServerError);
    expect(McpError.is(copy)).toBe(true);
    expect(Object.prototype.toString.call(copy)).toBe('[object Error]');
    expect(copy).toMatchObject({ code: 'server_error', status: 503, retryAfterMs: 5, message: 'busy', cause });
    expect([copy.name, copy.stack]).toEqual([error.name, error.stack]);
    expect(Object.keys(copy).toSorted()).toEqual(Object.keys(error).toSorted());
  });

  test('an error that has it already is not copied', () => {
    const error = new errors.ConnectionError('x');
    expect(errors.withOutcome(error, 'unknown')).toBe(error);
  });
});

describe('McpError.is and McpError.from', () => {
  test('an error of another copy of the package is ours as well', async () => {
    vi.resetModules();
    const copy = await import('./errors.ts');
    const foreign = new copy.ConnectionError('from the other copy');
    expect(foreign).not.toBeInstanceOf(McpError);
    expect(McpError.is(foreign)).toBe(true);
    expect(McpError.from(foreign)).toBe(foreign);
  });

  test.each([new Error('x'), { code: 'aborted' }, null, undefined, 'text', 7, Symbol('x'), () => 1])(
    'others are not: %s',
    (value) => {
      expect(McpError.is(value)).toBe(false);
    },
  );

  test('from wraps what is not ours, with the original as the cause', () => {
    const cause = new TypeError('broken');
    const error = McpError.from(cause);
    expect([error.code, error.message, error.origin, error.cause]).toEqual(['internal', 'broken', 'local', cause]);
    expect(McpError.from('text').message).toBe('text');
    expect(McpError.from(undefined).message).toBe('undefined');
    expect(McpError.from(error)).toBe(error);
  });

  test('a cause is kept only where there is one', () => {
    expect('cause' in new McpError('x', 'y')).toBe(false);
    expect(new McpError('x', 'y', { cause: 1 }).cause).toBe(1);
  });
});
