import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { revisionsOf } from '../wire/index.ts';
import { LegacyCaller, readInitialize } from './handshake.ts';
import { Refusal } from './refusal.ts';

const clientInfo = { name: 'c', version: '1' };
const read = (more: Record<string, unknown> = {}) =>
  readInitialize(5, { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...more }, 'ann');
const revisionFor = (version: unknown): unknown => {
  const caller = read({ protocolVersion: version });
  return caller instanceof LegacyCaller ? caller.revision : caller.error.code;
};

describe('readInitialize', () => {
  test('a legacy version we speak is taken, any other is answered with our newest legacy one', () => {
    for (const version of revisionsOf('legacy')) expect(revisionFor(version)).toBe(version);
    for (const version of ['2026-07-28', '2099-01-01', '1999-01-01', '', '2025-11-25 '])
      expect(revisionFor(version)).toBe('2025-11-25');
  });

  test.each([undefined, null, 20251125, {}, ['2025-11-25'], true])(
    'a version that is no text, %j: -32602',
    (version) => {
      expect(read({ protocolVersion: version })).toMatchObject({ status: 400, id: 5, error: { code: -32602 } });
    },
  );

  test.each([null, [], 'x', 5])('capabilities %j', (capabilities) => {
    const verdict = read({ capabilities });
    if (capabilities === null) expect(verdict).toMatchObject({ capabilities: {} });
    else expect(verdict).toMatchObject({ status: 400, id: 5, error: { code: -32602 } });
  });

  test('the caller is what the handshake says, and one object per handshake', () => {
    const caller = read({ capabilities: { roots: {} } });
    expect(caller).toMatchObject({ capabilities: { roots: {} }, clientInfo, principal: 'ann', revision: '2025-11-25' });
    expect(caller).toHaveProperty('session', caller);
    expect(read()).not.toBe(read());
  });

  test.each([undefined, null, {}, { name: 'x' }, { version: 'x' }, { name: 1, version: 2 }])(
    'client info %j is simply not there',
    (info) => {
      expect(read({ clientInfo: info })).toHaveProperty('clientInfo', undefined);
    },
  );

  test('whatever comes is read or refused', () => {
    const params = fc.record(
      { protocolVersion: fc.jsonValue(), capabilities: fc.jsonValue(), clientInfo: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.option(params, { nil: undefined }), (value) => {
        const verdict = readInitialize('i', value);
        if (verdict instanceof Refusal)
          expect(verdict).toMatchObject({ status: 400, id: 'i', error: { code: -32602 } });
        else expect(revisionsOf('legacy')).toContain(verdict.revision);
      }),
    );
  });
});
