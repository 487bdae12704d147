/** What each revision is told: one model value in, five wire forms out. */
import { assert, constantFrom, double, integer, oneof, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { ContentBlock, Implementation, Revision, Tool } from '../model/types.ts';
import { noteText, progressText, revisions, revisionsOf, wireOf } from './index.ts';

/** As it goes out: without the members that are undefined. */
const sent = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const legacy = revisionsOf('legacy');
const oldestFirst = revisions.toReversed();
const from = (first: Revision): readonly Revision[] => oldestFirst.slice(oldestFirst.indexOf(first));
const before = (first: Revision): readonly Revision[] => oldestFirst.slice(0, oldestFirst.indexOf(first));

const server: Implementation = {
  name: 's',
  version: '1',
  title: 'Server',
  description: 'serves',
  websiteUrl: 'https://s.test',
  icons: [{ src: 'data:image/png;base64,' }],
};
const hints = { ttlMs: 5, cacheScope: 'public' } as const;
const serverInfo = { 'io.modelcontextprotocol/serverInfo': server };

describe('a tool', () => {
  const tool: Tool = {
    name: 't',
    title: 'T',
    description: 'does',
    icons: [{ src: 'https://s.test/i.png' }],
    inputSchema: { type: 'object', $defs: { a: { $anchor: 'a' } }, 'x-own': [1], oneOf: [{ required: ['b'] }] },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    _meta: { 'com.example/own': 1 },
  };
  const lowered = (revision: Revision, more: Partial<Tool> = {}): JsonObject =>
    sent(wireOf(revision).lower.tool({ ...tool, ...more }));
  const base = { name: 't', description: 'does', inputSchema: tool.inputSchema };
  const june = { title: 'T', outputSchema: { type: 'object' }, _meta: { 'com.example/own': 1 } };
  const annotations = { readOnlyHint: true };

  test.each<[Revision, JsonObject]>([
    ['2024-11-05', base],
    ['2025-03-26', { ...base, annotations }],
    ['2025-06-18', { ...base, annotations, ...june }],
    ['2025-11-25', { ...base, annotations, ...june, icons: tool.icons }],
    ['2026-07-28', { ...base, annotations, ...june, icons: tool.icons }],
  ])('[TOOL-005 B-68] has in %s the members of that revision', (revision, expected) => {
    expect(lowered(revision)).toEqual(expected);
  });

  test.each(revisions)('[TOOL-007] keeps every keyword of its input schema in %s', (revision) => {
    expect(lowered(revision)['inputSchema']).toEqual(tool.inputSchema);
  });

  test.each(revisions)('says nothing of what its author did not say in %s', (revision) => {
    const bare: Tool = { name: 't', inputSchema: { type: 'object' } };
    expect(sent(wireOf(revision).lower.tool(bare))).toEqual(bare);
  });

  const roots = [{ type: 'array' }, { type: 'string' }, {}, { type: ['object', 'null'] }, { anyOf: [{}] }];
  test.each(roots)('[TOOL-008 B-67] shows an output schema of %j only where any root is allowed', (outputSchema) => {
    for (const revision of legacy) expect(lowered(revision, { outputSchema })).not.toHaveProperty('outputSchema');
    expect(lowered('2026-07-28', { outputSchema })['outputSchema']).toEqual(outputSchema);
  });
});

describe('a list of tools', () => {
  const page = { entries: [{ name: 't', inputSchema: { type: 'object' } }], nextCursor: '' };

  test('[TOOL-004 CACHE-001 META-008] in the modern era', () => {
    expect(sent(wireOf('2026-07-28').lower.toolsPage(page, hints, server))).toEqual({
      resultType: 'complete',
      tools: page.entries,
      nextCursor: '',
      ttlMs: 5,
      cacheScope: 'public',
      _meta: serverInfo,
    });
  });

  test.each(legacy)('[BASE-014 CACHE-015] in %s: nothing modern in it', (revision) => {
    expect(sent(wireOf(revision).lower.toolsPage(page, hints, server))).toEqual({
      tools: page.entries,
      nextCursor: '',
    });
  });

  test.each(revisions)('[PAG-001] without a next page there is no cursor in %s', (revision) => {
    expect(sent(wireOf(revision).lower.toolsPage({ entries: [] }, hints, server))).not.toHaveProperty('nextCursor');
  });
});

describe('the result of a call', () => {
  const text: ContentBlock = { type: 'text', text: 'a', annotations: { priority: 1 }, _meta: { own: 1 } };
  const image: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };
  const audio: ContentBlock = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
  const link: ContentBlock = { type: 'resource_link', uri: 'x:y', name: 'n', icons: [], _meta: { own: 2 } };
  const embedded: ContentBlock = { type: 'resource', resource: { uri: 'x:y', text: 'b', _meta: { own: 3 } } };
  const all = [text, image, audio, link, embedded];

  const lowered = (revision: Revision, content: ContentBlock[], structuredContent?: Json): JsonObject =>
    sent(
      wireOf(revision).lower.callToolResult(
        { content, ...(structuredContent !== undefined && { structuredContent }) },
        server,
      ),
    );

  const isText = { type: 'text', text: expect.any(String) as unknown };
  test.each<[Revision, unknown[]]>([
    ['2024-11-05', [text, image, isText, isText, embedded]],
    ['2025-03-26', [text, image, audio, isText, embedded]],
    ['2025-06-18', all],
    ['2025-11-25', all],
    ['2026-07-28', all],
  ])('[B-68 TOOL-019] has in %s only content that this revision knows', (revision, content) => {
    expect(lowered(revision, all)['content']).toEqual(content);
  });

  test('[B-68] what becomes text still says what it was', () => {
    const [sound, resource] = lowered('2024-11-05', [audio, link])['content'] as { text: string }[];
    expect(sound?.text).toContain('audio/wav');
    expect(resource?.text).toContain('x:y');
  });

  test.each(from('2025-06-18'))('[META-021] `_meta` of content stays as it is in %s', (revision) => {
    expect(lowered(revision, [text, link, embedded])['content']).toEqual([text, link, embedded]);
  });

  test.each(from('2025-06-18'))('an object as structured content goes out in %s', (revision) => {
    expect(lowered(revision, [], { a: [1] })['structuredContent']).toEqual({ a: [1] });
  });

  test.each(before('2025-06-18'))('[B-67] structured content does not exist in %s', (revision) => {
    expect(lowered(revision, [text], { a: 1 })).toEqual({ content: [text] });
  });

  const values: Json[] = [null, [], [1], '', 'text', 0, 5.5, false, true];
  test.each(values)('[TOOL-015 B-66] structured content %j goes out in the modern era, absent is absent', (value) => {
    const result = lowered('2026-07-28', [], value);
    expect(Object.hasOwn(result, 'structuredContent')).toBe(true);
    expect(result['structuredContent']).toEqual(value);
    expect(Object.hasOwn(lowered('2026-07-28', []), 'structuredContent')).toBe(false);
  });

  test.each(values)('[B-67] structured content %j goes to no legacy caller', (value) => {
    for (const revision of legacy) expect(lowered(revision, [text], value)).toEqual({ content: [text] });
  });

  test('[TOOL-014 META-008 BASE-009] in the modern era it has a type and says who answers, and no cache hints', () => {
    expect(lowered('2026-07-28', [])).toEqual({ resultType: 'complete', content: [], _meta: serverInfo });
  });

  test.each(legacy)('[BASE-014 CACHE-015] in %s it has nothing modern', (revision) => {
    expect(lowered(revision, [text])).toEqual({ content: [text] });
  });

  test.each(revisions)('a failure and `_meta` of the author go out in %s', (revision) => {
    const result = { content: [text], isError: true, _meta: { 'com.example/own': 1 } };
    expect(sent(wireOf(revision).lower.callToolResult(result, server))).toMatchObject(result);
  });

  test('[META-008] the author cannot speak for the server', () => {
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'another', version: '9' }, own: 1 };
    expect(sent(wireOf('2026-07-28').lower.callToolResult({ content: [], _meta }, server))['_meta']).toEqual({
      own: 1,
      ...serverInfo,
    });
  });
});

describe('what a server says of itself', () => {
  const description = { serverInfo: server, capabilities: { tools: { listChanged: true } }, instructions: 'Be kind.' };

  test('[VER-006 VER-008 CACHE-001] the answer to server/discover', () => {
    expect(sent(wireOf('2026-07-28').lower.description(description, revisions, hints))).toEqual({
      resultType: 'complete',
      supportedVersions: revisions,
      capabilities: { tools: { listChanged: true } },
      instructions: 'Be kind.',
      ttlMs: 5,
      cacheScope: 'public',
      _meta: serverInfo,
    });
  });

  test.each<[Revision, JsonObject]>([
    ['2024-11-05', { name: 's', version: '1' }],
    ['2025-03-26', { name: 's', version: '1' }],
    ['2025-06-18', { name: 's', version: '1', title: 'Server' }],
    ['2025-11-25', { ...server }],
  ])('[VER-008 BASE-043] the answer to initialize in %s', (revision, serverInfo) => {
    expect(sent(wireOf(revision).lower.description(description, [revision], hints))).toEqual({
      protocolVersion: revision,
      capabilities: { tools: { listChanged: true } },
      serverInfo,
      instructions: 'Be kind.',
    });
  });
});

describe('small things', () => {
  test('[BASE-013] an empty result is complete in the modern era', () => {
    expect(sent(wireOf('2026-07-28').lower.emptyResult(server))).toEqual({ resultType: 'complete', _meta: serverInfo });
  });

  test.each(legacy)('[BASE-014 BASE-013] an empty result is {} in %s', (revision) => {
    expect(sent(wireOf(revision).lower.emptyResult(server))).toEqual({});
  });

  test.each([0, '', 7, '7'])(
    '[PROG-002] progress under the token %j, whose message exists since 2025-03-26',
    (token) => {
      const progress = { progress: 0.5, total: 1, message: 'half' };
      for (const revision of revisions) {
        const { message, ...rest } = progress;
        expect(sent(wireOf(revision).lower.progress(token, progress)), revision).toEqual({
          progressToken: token,
          ...rest,
          ...(revision !== '2024-11-05' && { message }),
        });
        expect(sent(wireOf(revision).lower.progress(token, { progress: 1 }))).toEqual({
          progressToken: token,
          progress: 1,
        });
      }
    },
  );

  test('progress that is written by hand is what JSON would be', () => {
    const finite = double({ noNaN: true, noDefaultInfinity: true });
    const told = record({ progress: finite, total: finite, message: string() }, { requiredKeys: ['progress'] });
    assert(
      property(constantFrom(...revisions), oneof(integer(), string()), told, (revision, token, progress) => {
        const params = wireOf(revision).lower.progress(token, progress);
        expect(progressText(params)).toBe(noteText('notifications/progress', params));
      }),
    );
  });

  test.each([0, 7, '7', ''])('[META-010 B-16] notices of the subscription %j carry its id as it is', (id) => {
    const key = 'io.modelcontextprotocol/subscriptionId';
    const { lower } = wireOf('2026-07-28');
    expect(lower.subscribed(undefined, id)).toEqual({ _meta: { [key]: id } });
    expect(lower.subscribed({ a: 1, _meta: { own: 2 } }, id)).toEqual({ a: 1, _meta: { own: 2, [key]: id } });
  });

  test.each(legacy)('[META-010] notices carry no such id in %s', (revision) => {
    const { lower } = wireOf(revision);
    expect(lower.subscribed(undefined, 'session')).toBeUndefined();
    expect(lower.subscribed({ a: 1 }, 'session')).toEqual({ a: 1 });
  });

  test.each(legacy)('requests need no `_meta` in %s', (revision) => {
    expect(wireOf(revision).lower.requestMeta({ info: server, capabilities: {} })).toBeUndefined();
  });

  test('modern requests say version, capabilities and client', () => {
    const capabilities = { elicitation: {} };
    expect(wireOf('2026-07-28').lower.requestMeta({ info: server, capabilities })).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': server,
    });
  });
});
