import { describe, expect, test } from 'vitest';
import { History, frameLines } from '../src/trace.ts';

describe('frames for --verbose', () => {
  test('time, direction and text, then the headers', () => {
    const frame = { direction: 'in', text: '{"a":\n"\x1b"}', status: 200, headers: { 'content-type': 'x' } } as const;
    expect(frameLines(frame, 12.4)).toEqual([
      String.raw`    12 ms ← HTTP 200 {"a": "\x1b"}`,
      '            content-type: x',
    ]);
  });

  test('an endless frame is cut', () => {
    const [line = ''] = frameLines({ direction: 'out', text: 'x'.repeat(1e6) }, 0);
    expect(line.length).toBeLessThan(10_100);
    expect(line).toMatch(/… \(1000000 characters\)$/);
  });
});

describe('history', () => {
  const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover' };
  const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
  const initialize = { jsonrpc: '2.0', id: 2, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
  const out = (message: object) => ({ direction: 'out', text: JSON.stringify(message) }) as const;
  const answer = (message: object, status?: number) =>
    ({ direction: 'in', text: JSON.stringify(message), ...(status === undefined ? {} : { status }) }) as const;
  const after = (...frames: Parameters<History['see']>[0][]) => {
    const history = new History();
    for (const frame of frames) history.see(frame);
    return history;
  };

  test('a modern server', () => {
    const history = after(
      out({ ...discover, params: meta }),
      answer({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28', '2025-11-25', 7] } }),
    );
    expect(history.steps).toEqual(['server/discover (2026-07-28): answered']);
    expect(history.supportedVersions).toEqual(['2026-07-28', '2025-11-25']);
  });

  test('a legacy server that does not know the question', () => {
    const history = after(
      out(discover),
      answer({ id: 1, error: { code: -32601, message: 'Method not found' } }, 404),
      out(initialize),
      answer({ id: 2, result: { protocolVersion: '2025-06-18' } }),
    );
    expect(history.steps).toEqual([
      'server/discover: HTTP 404, error -32601 Method not found',
      'initialize (2025-11-25): agreed on 2025-06-18',
    ]);
    expect(history.supportedVersions).toBeUndefined();
  });

  test('an answer as server-sent event, an HTTP status without one, and silence', () => {
    const event = `event: message\ndata: ${JSON.stringify({ id: 1, result: { supportedVersions: ['2026-07-28'] } })}\n\n`;
    expect(after(out(discover), { direction: 'in', text: event }).supportedVersions).toEqual(['2026-07-28']);
    expect(after(out(discover), { direction: 'in', text: 'gone', status: 410 }).steps).toEqual([
      'server/discover: HTTP 410',
    ]);
    expect(after(out(discover), answer({ id: '1', result: {} })).steps).toEqual(['server/discover: no answer']);
  });

  test('an error that names no request', () => {
    const history = after(
      out(discover),
      answer({ id: null, error: { code: -32000, message: 'not initialized' } }, 400),
    );
    expect(history.steps).toEqual(['server/discover: HTTP 400, error -32000 not initialized']);
  });

  test('a refusal that names versions', () => {
    const history = after(
      out(discover),
      answer({ id: 1, error: { code: -32022, message: 'no', data: { supported: ['2025-11-25'] } } }),
    );
    expect(history.supportedVersions).toEqual(['2025-11-25']);
  });
});
