import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorText, headerNames, readMessage, revisions, revisionsOf, type Message } from '../wire/index.ts';
import { eraOf, gateModern, gateModernNotice, ModernCaller } from './gate.ts';
import type { HeaderOf } from './head.ts';
import { Refusal } from './refusal.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const modern = '2026-07-28';
const meta = (more: Record<string, unknown> = {}) => ({
  [key('protocolVersion')]: modern,
  [key('clientCapabilities')]: {},
  ...more,
});
const headers =
  (values: Record<string, string | undefined>): HeaderOf =>
  (name) =>
    values[name];
const dressed = (method: string, more: Record<string, string | undefined> = {}): HeaderOf =>
  headers({ 'mcp-protocol-version': modern, 'mcp-method': method, ...more });
const request = (method: string, params?: Record<string, unknown>): Message & { kind: 'request' } => ({
  kind: 'request',
  id: 7,
  method,
  params,
});
const code = (verdict: ModernCaller | Refusal | undefined): number | undefined =>
  verdict instanceof Refusal ? verdict.error.code : undefined;

describe('eraOf', () => {
  const unknown = '1900-01-01';
  const none = undefined;

  test.each([
    // header, version in _meta, era
    [none, none, 'legacy'],
    [none, '2025-11-25', 'legacy'],
    [none, modern, 'modern'],
    [none, unknown, 'modern'],
    [none, 5, 'modern'],
    ['', none, 'legacy'],
    ['', '2025-11-25', 'modern'],
    ['2025-11-25', none, 'legacy'],
    ['2025-11-25', '2025-11-25', 'modern'],
    ['2025-11-25', modern, 'modern'],
    [modern, none, 'modern'],
    [` ${modern}\t`, none, 'modern'],
    [modern, modern, 'modern'],
    [unknown, none, 'modern'],
  ])('header %j, _meta %j: %s', (header, version, era) => {
    const params = version === undefined ? {} : { _meta: { [key('protocolVersion')]: version } };
    expect(eraOf(request('tools/list', params), headers({ 'mcp-protocol-version': header }))).toBe(era);
  });

  test('[VER-009] the four older revisions are legacy, the newest is modern', () => {
    const era = (version: string) => eraOf(request('x'), headers({ 'mcp-protocol-version': version }));
    expect(Object.fromEntries(revisions.map((revision) => [revision, era(revision)]))).toEqual({
      '2024-11-05': 'legacy',
      '2025-03-26': 'legacy',
      '2025-06-18': 'legacy',
      '2025-11-25': 'legacy',
      '2026-07-28': 'modern',
    });
  });

  test('without headers the version in _meta alone decides, whatever it is', () => {
    for (const version of [modern, '2025-11-25', unknown])
      expect(eraOf(request('x', { _meta: meta({ [key('protocolVersion')]: version }) }), undefined)).toBe('modern');
    expect(eraOf(request('x', { _meta: { progressToken: 1 } }), undefined)).toBe('legacy');
    expect(eraOf(request('x'), undefined)).toBe('legacy');
  });

  test('an unknown version begins a handshake, and belongs to a session, in the legacy way', () => {
    const header = headers({ 'mcp-protocol-version': unknown });
    expect(eraOf(request('initialize'), header)).toBe('legacy');
    expect(eraOf(request('initialize', { _meta: meta() }), header)).toBe('modern');
    expect(eraOf({ kind: 'notification', method: 'initialize', params: undefined }, header)).toBe('modern');
    const inSession = headers({ 'mcp-protocol-version': unknown, 'mcp-session-id': 'x' });
    expect(eraOf(request('tools/list'), inSession)).toBe('legacy');
    expect(eraOf(request('tools/list', { _meta: meta() }), inSession)).toBe('modern');
    expect(eraOf(request('tools/list'), dressed('tools/list', { 'mcp-session-id': 'x' }))).toBe('modern');
  });
});

describe('gateModern', () => {
  const judge = (more: Record<string, unknown>, header: HeaderOf | undefined = dressed('tools/list')) =>
    gateModern(request('tools/list', { _meta: meta(more) }), header, { principal: 'ann' });

  test('the caller is what the request says', () => {
    const clientInfo = { name: 'c', version: '1' };
    const header = dressed('tools/list');
    const caller = judge(
      {
        [key('clientCapabilities')]: { elicitation: {} },
        [key('clientInfo')]: clientInfo,
        [key('logLevel')]: 'debug',
        progressToken: 0,
      },
      header,
    );
    expect(caller).toEqual(
      new ModernCaller(modern, { elicitation: {} }, clientInfo, 'debug', header, { principal: 'ann' }),
    );
  });

  test.each([
    ['no params', undefined],
    ['no _meta', {}],
    ['_meta null', { _meta: null }],
    ['_meta an array', { _meta: [] }],
    ['_meta a string', { _meta: 'x' }],
    ['no version', { _meta: { [key('clientCapabilities')]: {} } }],
    ['no capabilities', { _meta: { [key('protocolVersion')]: modern } }],
    ['a number as version', { _meta: meta({ [key('protocolVersion')]: 20260728 }) }],
    ['null as version', { _meta: meta({ [key('protocolVersion')]: null }) }],
    ['null as capabilities', { _meta: meta({ [key('clientCapabilities')]: null }) }],
    ['an array as capabilities', { _meta: meta({ [key('clientCapabilities')]: [] }) }],
    ['clientInfo without version', { _meta: meta({ [key('clientInfo')]: { name: 'x' } }) }],
    ['clientInfo without name', { _meta: meta({ [key('clientInfo')]: { version: 'x' } }) }],
    ['clientInfo null', { _meta: meta({ [key('clientInfo')]: null }) }],
    ['an unknown log level', { _meta: meta({ [key('logLevel')]: 'loud' }) }],
    ['a log level that is a number', { _meta: meta({ [key('logLevel')]: 1 }) }],
    ['a fraction as progress token', { _meta: meta({ progressToken: 1.5 }) }],
    ['null as progress token', { _meta: meta({ progressToken: null }) }],
    ['an object as progress token', { _meta: meta({ progressToken: {} }) }],
  ])('%s: -32602 with 400 and the id, with and without headers', (_, params) => {
    for (const header of [dressed('tools/list'), undefined]) {
      const refusal = gateModern(request('tools/list', params), header);
      expect(refusal).toMatchObject({ status: 400, id: 7, error: { code: -32602 } });
    }
  });

  test.each(['', 'foobar', '2026-7-28', '2099-01-01', ...revisionsOf('legacy')])(
    'version %j: -32022 with the list and what was asked for',
    (version) => {
      const header = dressed('tools/list', { 'mcp-protocol-version': version });
      expect(judge({ [key('protocolVersion')]: version }, header)).toMatchObject({
        status: 400,
        id: 7,
        error: { code: -32022, data: { supported: revisions, requested: version } },
      });
      const withoutHeaders = request('tools/list', { _meta: meta({ [key('protocolVersion')]: version }) });
      expect(code(gateModern(withoutHeaders, undefined))).toBe(-32022);
    },
  );

  test('the order of the checks: header, version, support, the rest of _meta, the other headers', () => {
    const broken = { [key('protocolVersion')]: '2099-01-01', [key('clientCapabilities')]: 5 };
    expect(code(judge(broken, headers({})))).toBe(-32020);
    expect(code(judge(broken, dressed('x')))).toBe(-32020);
    expect(code(judge(broken, dressed('x', { 'mcp-protocol-version': '2099-01-01' })))).toBe(-32022);
    expect(code(judge({ [key('clientCapabilities')]: 5 }, dressed('x')))).toBe(-32602);
    expect(code(judge({}, dressed('x')))).toBe(-32020);
  });

  test('a request without its version header is told the versions', () => {
    expect(judge({}, headers({ 'mcp-method': 'tools/list' }))).toMatchObject({
      status: 400,
      error: { code: -32020, message: expect.stringContaining(modern) as unknown },
    });
  });

  describe('Mcp-Method and Mcp-Name', () => {
    const named = (method: string, params: Record<string, unknown>, more: Record<string, string | undefined>) =>
      code(gateModern(request(method, { ...params, _meta: meta() }), dressed(method, more)));

    test.each([
      ['absent', undefined],
      ['empty', ''],
      ['another', 'tools/call'],
      ['another case', 'Tools/List'],
      ['twice', 'tools/list, tools/list'],
    ])('Mcp-Method %s: -32020', (_, value) => {
      expect(named('tools/list', {}, { 'mcp-method': value })).toBe(-32020);
    });

    test('white space around values does not count', () => {
      expect(named('tools/list', {}, { 'mcp-method': ' \ttools/list ', 'mcp-protocol-version': `\t${modern} ` })).toBe(
        undefined,
      );
      expect(named('tools/call', { name: 'echo' }, { 'mcp-name': '  echo\t' })).toBe(undefined);
    });

    const name = (params: Record<string, unknown>, value: string | undefined) =>
      named('tools/call', params, { 'mcp-name': value });

    test.each([
      ['echo', 'echo'],
      ['Ä', '=?base64?w4Q=?='],
      ['', ''],
      ['', '=?base64??='],
      [' padded ', '=?base64?IHBhZGRlZCA=?='],
      ['=?base64?x', '=?base64?x'],
      ['=?BASE64?w4Q=?=', '=?BASE64?w4Q=?='],
      ['=?base64?w4Q=?=', '=?base64?PT9iYXNlNjQ/dzRRPT89?='],
      ['a b', 'a b'],
      ['\ufeffx', '=?base64?77u/eA==?='],
    ])('params.name %j agrees with Mcp-Name %j', (value, header) => {
      expect(name({ name: value }, header)).toBe(undefined);
    });

    test.each([
      ['another name', 'echo', 'other'],
      ['another case', 'echo', 'Echo'],
      ['missing', 'echo', undefined],
      ['empty', 'echo', ''],
      ['another name, encoded', 'Ä', '=?base64?w5Y=?='],
      ['an encoded name that is taken as it stands', '=?base64?w4Q=?=', '=?base64?w4Q=?='],
      ['letters outside ASCII, as they are', 'Ä', 'Ä'],
      ['control characters', 'a\u0001', 'a\u0001'],
      ['broken base64', 'Ä', '=?base64?w4Q?='],
      ['base64 for URLs', 'ÿÿ>', '=?base64?w7_Dvz4=?='],
      ['no UTF-8 inside', '\ufffd', '=?base64?/w==?='],
      ['an upper-case marker', 'Ä', '=?BASE64?w4Q=?='],
      ['a number in the body', 5, '5'],
      ['no name in the body', undefined, 'echo'],
    ])('%s: -32020', (_, value, header) => {
      expect(name({ name: value }, header)).toBe(-32020);
    });

    test.each([
      ['prompts/get', 'name'],
      ['resources/read', 'uri'],
      ['tasks/get', 'taskId'],
      ['tasks/update', 'taskId'],
      ['tasks/cancel', 'taskId'],
    ])('%s repeats its %s', (method, param) => {
      expect(named(method, { [param]: 'x' }, { 'mcp-name': 'x' })).toBe(undefined);
      expect(named(method, { [param]: 'x' }, { 'mcp-name': 'y' })).toBe(-32020);
      expect(named(method, { [param]: 'x' }, {})).toBe(-32020);
    });

    test.each(['server/discover', 'tools/list', 'completion/complete', 'subscriptions/listen'])(
      '%s has no Mcp-Name to compare',
      (method) => {
        expect(named(method, { name: 'x', uri: 'x', ref: { name: 'x' } }, {})).toBe(undefined);
      },
    );

    test('a method of letters that no header may have is not repeated raw', () => {
      expect(named('tools/läst', {}, {})).toBe(-32020);
    });
  });
});

describe('gateModernNotice', () => {
  const note = (method: string, params?: Record<string, unknown>) => ({ method, params });

  test('nothing is demanded', () => {
    for (const header of [undefined, headers({}), headers({ 'mcp-protocol-version': modern })])
      expect(gateModernNotice(note('notifications/cancelled'), header)).toBe(undefined);
    const header = dressed('notifications/cancelled');
    expect(gateModernNotice(note('notifications/cancelled', { _meta: meta() }), header)).toBe(undefined);
  });

  test.each([
    ['another method', dressed('x'), undefined, -32020],
    ['another version in _meta', dressed('n'), { _meta: meta({ [key('protocolVersion')]: '2025-11-25' }) }, -32020],
    ['a legacy header and modern _meta', headers({ 'mcp-protocol-version': '2025-11-25' }), { _meta: meta() }, -32020],
    ['an unknown version', headers({ 'mcp-protocol-version': '1900-01-01' }), undefined, -32022],
  ])('%s is refused, without an id', (_, header, params, expected) => {
    const refusal = gateModernNotice(note('n', params), header);
    expect(refusal).toMatchObject({ status: 400, id: undefined, error: { code: expected } });
  });
});

/** Values that look like messages, wrong in any way. */
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>;
const methodName = fc.oneof(
  fc.constantFrom('tools/call', 'tools/list', 'server/discover', 'initialize', 'notifications/cancelled', 'tasks/get'),
  fc.string(),
);
const version = fc.oneof(fc.constantFrom<string>(...revisions, '', '1900-01-01'), fc.string());
const metaValue = fc.oneof(
  json,
  fc.dictionary(
    fc.constantFrom(
      ...['protocolVersion', 'clientCapabilities', 'clientInfo', 'logLevel'].map(key),
      'progressToken',
      '__proto__',
    ),
    fc.oneof(json, version, fc.constant({})),
  ),
);
const params = fc.oneof(
  json,
  fc.record(
    { _meta: metaValue, name: fc.oneof(json, fc.string()), uri: json, taskId: json, arguments: json },
    { requiredKeys: [] },
  ),
);
const message = fc.oneof(
  json,
  fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: json }),
      id: fc.oneof(fc.integer(), fc.string(), json),
      method: fc.oneof({ weight: 9, arbitrary: methodName }, { weight: 1, arbitrary: json }),
      params,
      result: json,
      error: fc.oneof(json, fc.record({ code: json, message: json, data: json }, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  ),
);
const headerValues = fc.dictionary(
  fc.constantFrom(...Object.values(headerNames)),
  fc.oneof(version, methodName, fc.string({ unit: 'binary' }), fc.constantFrom('=?base64?w4Q=?=', '=?base64?%?=')),
);

const refusalCodes = new Set([-32600, -32602, -32020, -32022]);

function expectWellFormed(refusal: Refusal, id: unknown): void {
  expect(refusal.status).toBe(400);
  expect(refusalCodes).toContain(refusal.error.code);
  expect(refusal.error.message).not.toBe('');
  expect(refusal.id).toBe(id);
  const text = JSON.parse(errorText(refusal.id, refusal.error)) as unknown;
  expect(text).toMatchObject({ jsonrpc: '2.0', error: { code: refusal.error.code } });
  if (refusal.error.code === -32022) expect(refusal.error.data).toMatchObject({ supported: revisions });
}

describe('whatever comes', () => {
  test('readMessage tells what it is and never throws', () => {
    fc.assert(
      fc.property(message, (value) => {
        const read = readMessage(value);
        if (read.kind === 'request' || read.kind === 'result') expect(['string', 'number']).toContain(typeof read.id);
        if (read.kind === 'invalid') expect([-32600, -32602]).toContain(read.code);
        if (read.kind === 'request' || read.kind === 'notification') expect(typeof read.method).toBe('string');
      }),
    );
  });

  test('eraOf gives an era, with and without headers', () => {
    fc.assert(
      fc.property(message, fc.option(headerValues, { nil: undefined }), (value, given) => {
        const header: HeaderOf | undefined =
          given && ((name) => (Object.hasOwn(given, name) ? given[name] : undefined));
        expect(['modern', 'legacy']).toContain(eraOf(readMessage(value), header));
      }),
    );
  });

  test('gateModern gives a caller of a modern revision, or a well-formed refusal', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer(), fc.string()),
        methodName,
        params,
        fc.option(headerValues, { nil: undefined }),
        (id, method, value, given) => {
          const read = readMessage({ jsonrpc: '2.0', id, method, params: value });
          if (read.kind !== 'request') return;
          const header: HeaderOf | undefined =
            given && ((name) => (Object.hasOwn(given, name) ? given[name] : undefined));
          const verdict = gateModern(read, header);
          if (verdict instanceof Refusal) expectWellFormed(verdict, id);
          else expect(verdict.revision).toBe(modern);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('gateModern serves every request that is in order, whatever its name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('tools/call', 'tools/list'), (name, method) => {
        const bytes = new TextEncoder().encode(name);
        const value = `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
        const verdict = gateModern(request(method, { name, _meta: meta() }), dressed(method, { 'mcp-name': value }));
        // Lone surrogates have no UTF-8.
        if (new TextDecoder().decode(bytes) === name) expect(verdict).toBeInstanceOf(ModernCaller);
      }),
    );
  });

  test('gateModernNotice lets it be or refuses it without an id', () => {
    fc.assert(
      fc.property(methodName, params, headerValues, (method, value, given) => {
        const read = readMessage({ jsonrpc: '2.0', method, params: value });
        if (read.kind !== 'notification') return;
        const verdict = gateModernNotice(read, (name) => (Object.hasOwn(given, name) ? given[name] : undefined));
        if (verdict !== undefined) expectWellFormed(verdict, undefined);
      }),
    );
  });
});
