import { describe, expect, test } from 'vitest';
import { ConnectionMeta, Lowered, type Request } from './lowered.ts';

const meta = new ConnectionMeta({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28', caps: { a: [1] } });

const requests: Request[] = [
  { method: 'm' },
  { method: 'm', params: {} },
  { method: 'm', params: { name: 'é"\\', arguments: { n: [1, null] } } },
  { method: 'm', params: { _meta: { own: 1, progressToken: 'theirs', caps: 'theirs' }, x: 1 } },
  { method: 'm', params: { x: undefined, y: 1 } },
];

describe('the text of a lowered call', () => {
  for (const [index, request] of requests.entries())
    for (const given of [meta, undefined, new ConnectionMeta({})])
      for (const token of [undefined, 7])
        test(`says what its params say: request ${index}, ${given?.head ?? 'no'} meta, token ${token}`, () => {
          const lowered = new Lowered(request, given, undefined, token);
          const object = JSON.parse(JSON.stringify(lowered.params ?? {})) as unknown;
          const text = JSON.parse(lowered.text) as { _meta?: object };
          expect(text).toEqual(object);
        });
});

test('[META-001 META-002] what the connection says in _meta cannot be overwritten by a caller', () => {
  const request: Request = {
    method: 'm',
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 'x', caps: 'x', progressToken: 'x', own: 1 } },
  };
  const lowered = new Lowered(request, meta, '2026-07-28', 7);
  const expected = { ...meta.value, own: 1, progressToken: 7 };
  expect(lowered.params?.['_meta']).toEqual(expected);
  expect((JSON.parse(lowered.text) as { _meta: object })._meta).toEqual(expected);
});
