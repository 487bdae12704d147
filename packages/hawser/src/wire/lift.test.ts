/** What each revision tells: a peer's result in, a checked model value or an error out. */
import { anything, assert, dictionary, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Revision } from '../model/types.ts';
import { revisions, revisionsOf, wireOf } from './index.ts';

const legacy = revisionsOf('legacy');
const invalid = InvalidResponseError;

describe('the kind of a result', () => {
  const { complete } = wireOf('2026-07-28').lift;

  test.each([{}, { resultType: 'complete' }, { resultType: undefined }])(
    '[BASE-010 B-39] %j is a result, complete or not said to be',
    (result) => {
      expect(complete(result)).toBe(result);
    },
  );

  test.each(['input_required', 'task', 'partial', 'Complete', '', null, 1, true, {}])(
    '[BASE-011 BASE-012 B-40] %j is no result',
    (resultType) => {
      expect(() => complete({ resultType, content: [] })).toThrow(invalid);
    },
  );

  test.each(legacy)('a legacy result has no kind to check in %s', (revision) => {
    const result = { resultType: 'whatever' };
    expect(wireOf(revision).lift.complete(result)).toBe(result);
  });
});

describe('a list of tools', () => {
  const good = {
    name: 'good',
    title: 'Good',
    description: 'd',
    icons: [{ src: 'https://s.test/i.png', sizes: ['any'] }],
    inputSchema: { type: 'object', properties: { a: true, b: false }, 'x-own': { c: [1] }, $defs: {} },
    outputSchema: { type: 'array' },
    annotations: { readOnlyHint: true, later: 1 },
    execution: { taskSupport: 'optional' },
    _meta: { own: 1 },
  };

  test.each(revisions)('[TOOL-009 SEED-194 META-021] members are kept as they came in %s', (revision) => {
    const { lift } = wireOf(revision);
    expect(lift.toolsPage({ tools: [good], later: true })).toEqual({ entries: [good], problems: [] });
  });

  test.each([
    ['no inputSchema', { name: 'bad' }],
    ['inputSchema null', { name: 'bad', inputSchema: null }],
    ['inputSchema a list', { name: 'bad', inputSchema: [] }],
    ['inputSchema of a string', { name: 'bad', inputSchema: { type: 'string' } }],
    ['inputSchema of several types', { name: 'bad', inputSchema: { type: ['object', 'null'] } }],
    ['no name', { inputSchema: { type: 'object' } }],
    ['an empty name', { name: '', inputSchema: { type: 'object' } }],
    ['a name that is a number', { name: 5, inputSchema: { type: 'object' } }],
    ['null', null],
    ['a string', 'tool'],
    ['a list', []],
  ])('[BUG-072] a tool that cannot be mended is left out, the others stay: %s', (_, bad) => {
    for (const revision of revisions) {
      const { entries, problems } = wireOf(revision).lift.toolsPage({ tools: [bad, good] });
      expect(entries).toEqual([good]);
      expect(problems).toHaveLength(1);
      if (bad !== null && 'name' in Object(bad) && (bad as { name: unknown }).name === 'bad')
        expect(problems?.[0]).toContain('"bad"');
    }
  });

  test.each([
    ['description', { description: null }],
    ['annotations', { annotations: null }],
    ['title', { title: null }],
    ['icons', { icons: null }],
    ['outputSchema', { outputSchema: null }],
    ['_meta', { _meta: null }],
  ])('[BUG-072] null counts as absent: %s', (_, odd) => {
    const tool = { name: 't', inputSchema: { type: 'object' } };
    expect(wireOf('2026-07-28').lift.toolsPage({ tools: [{ ...tool, ...odd }] }).entries).toEqual([tool]);
  });

  test.each(['text', 5, true, []])('[BUG-072] a malformed output schema costs only that schema: %j', (outputSchema) => {
    const tool = { name: 't', inputSchema: { type: 'object' } };
    expect(wireOf('2026-07-28').lift.toolsPage({ tools: [{ ...tool, outputSchema }] }).entries).toEqual([tool]);
  });

  test.each([
    {},
    { required: null },
    { type: 'object', required: null },
    { type: 'object', properties: null },
    { type: 'object', properties: { coin: { type: 'string' }, required: ['coin'] } },
    { type: 'object', properties: { n: { type: 'int' } } },
  ])('[BUG-072] a tool whose input schema is odd inside stays, schema verbatim: %j', (inputSchema) => {
    const tool = { name: 't', inputSchema };
    expect(wireOf('2025-11-25').lift.toolsPage({ tools: [tool, good] })).toEqual({
      entries: [tool, good],
      problems: [],
    });
  });

  test.each([
    ['an empty one', { nextCursor: '' }, ''],
    ['text', { nextCursor: 'c' }, 'c'],
    ['null', { nextCursor: null }, undefined],
    ['none', {}, undefined],
    ['a number', { nextCursor: 5 }, undefined],
  ])('[PAG-001 PAG-002 B-69] the next cursor: %s', (_, more, cursor) => {
    expect(wireOf('2026-07-28').lift.toolsPage({ tools: [], ...more }).nextCursor).toBe(cursor);
  });

  test.each([undefined, null, {}, 'tools', 5])('tools: %j is no list', (tools) => {
    expect(() => wireOf('2026-07-28').lift.toolsPage({ tools })).toThrow(invalid);
  });
});

describe('the result of a call', () => {
  const lifted = (revision: Revision, result: JsonObject) => wireOf(revision).lift.callToolResult(result);
  const content = [
    { type: 'text', text: 'a' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'x:y', name: 'n', size: 5 },
    { type: 'resource', resource: { uri: 'x:y', blob: 'AA==' } },
    { type: 'later', more: [1], _meta: { own: 1 } },
  ];

  test.each(revisions)('[SEED-197 META-021] content of every type, and of later ones, is kept in %s', (revision) => {
    expect(lifted(revision, { content }).content).toEqual(content);
  });

  test.each(revisions)('[SEED-202] a failure is a value in %s', (revision) => {
    expect(lifted(revision, { content: [], isError: true })).toEqual({ content: [], isError: true });
    expect(lifted(revision, { content: [], isError: false })).toEqual({ content: [] });
  });

  test.each(['text', {}, 5, true])('content %j is none', (content) => {
    expect(() => lifted('2026-07-28', { content })).toThrow(invalid);
  });

  test.each([undefined, null])('[BUG-145] content %j is an empty list', (missing) => {
    for (const revision of revisions) expect(lifted(revision, { content: missing }).content).toEqual([]);
    expect(lifted('2025-11-25', { structuredContent: { a: 1 } })).toEqual({
      content: [],
      structuredContent: { a: 1 },
    });
  });

  test.each([null, 'text', {}, [], { type: 5 }])('[BUG-145] %j is no block, and costs no other', (bad) => {
    expect(lifted('2026-07-28', { content: [...content, bad] }).content).toEqual(content);
  });

  test.each([null, [], [1], '', 'text', 0, false, {}, { a: 1 }])(
    '[SEED-217 B-66 TOOL-015] structured content %j is content in the modern era',
    (structuredContent) => {
      const result = lifted('2026-07-28', { content: [], structuredContent });
      expect(Object.hasOwn(result, 'structuredContent')).toBe(true);
      expect(result.structuredContent).toEqual(structuredContent);
    },
  );

  test.each([null, [], [1], '', 'text', 0, false])(
    '[SEED-218] structured content %j counts as absent in a legacy session: only an object is one',
    (structuredContent) => {
      for (const revision of legacy)
        expect(lifted(revision, { content: [], structuredContent })).not.toHaveProperty('structuredContent');
      expect(lifted('2025-11-25', { content: [], structuredContent: {} }).structuredContent).toEqual({});
      expect(lifted('2025-06-18', { content: [], structuredContent: { a: 1 } }).structuredContent).toEqual({ a: 1 });
    },
  );
});

describe('what a server says of itself', () => {
  const capabilities = { tools: {}, later: { a: 1 } };

  test('[B-46] a discovery: who it is stands in `_meta`, or beside it by mistake', () => {
    const { description } = wireOf('2026-07-28').lift;
    const result = { supportedVersions: ['2026-07-28', 5, '2025-11-25'], capabilities, instructions: 'i' };
    const said = { name: 's', version: '1' };
    const expected = { versions: ['2026-07-28', '2025-11-25'], capabilities, instructions: 'i', serverInfo: said };
    expect(description({ ...result, _meta: { 'io.modelcontextprotocol/serverInfo': said } })).toEqual(expected);
    expect(description({ ...result, serverInfo: said })).toEqual(expected);
    expect(description({ supportedVersions: [] })).toEqual({ versions: [], capabilities: {} });
  });

  test.each([undefined, null, '2026-07-28', {}])('supportedVersions %j is none', (supportedVersions) => {
    expect(() => wireOf('2026-07-28').lift.description({ supportedVersions })).toThrow(invalid);
  });

  test.each(legacy)('an answer to initialize in %s', (revision) => {
    const { description } = wireOf(revision).lift;
    const serverInfo = { name: 's', version: '1', title: 'S', later: 1 };
    expect(description({ protocolVersion: revision, capabilities, serverInfo, instructions: 'i' })).toEqual({
      versions: [revision],
      capabilities,
      serverInfo,
      instructions: 'i',
    });
    expect(() => description({ capabilities, serverInfo })).toThrow(invalid);
  });

  test.each([null, 5, 'me', {}, { name: 's' }, { version: '1' }, { name: 1, version: 1 }])(
    'who it is, malformed, is simply not there: %j',
    (serverInfo) => {
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
      expect(wireOf('2025-11-25').lift.description(result)).not.toHaveProperty('serverInfo');
    },
  );
});

test('whatever a peer sends, it is a value or an InvalidResponseError', () => {
  const members = ['tools', 'nextCursor', 'content', 'structuredContent', 'resultType', 'supportedVersions', '_meta'];
  const names = string().map((text) => members[text.length % members.length] ?? 'tools');
  assert(
    property(dictionary(names, anything()), (result) => {
      for (const revision of revisions) {
        const { lift } = wireOf(revision);
        for (const read of [lift.complete, lift.description, lift.toolsPage, lift.callToolResult]) {
          try {
            read(result);
          } catch (error) {
            expect(error).toBeInstanceOf(invalid);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});
