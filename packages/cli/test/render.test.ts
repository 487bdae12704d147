import type { Tool } from 'hawser';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { wantsColor } from '../src/output.ts';
import { describeBlock, progressLine, renderDiscovery, renderResult, renderTools } from '../src/render.ts';
import { typeText } from '../src/schema.ts';

const plain = { paint: picocolors.createColors(false), width: Infinity };
const evil = '\x1b[2Jx';

describe('tools', () => {
  const search: Tool = {
    name: 'search',
    title: 'Search',
    description: 'Finds things.\nSecond line.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      required: ['query'],
      properties: {
        limit: { type: 'integer', description: 'How many', default: 10 },
        query: { type: 'string', description: 'What to look for' },
        order: { enum: ['up', 'down'] },
      },
    },
  };

  test('name, title, first line, parameters with the required ones first', () => {
    expect(renderTools([search, { name: 'ping', inputSchema: { type: 'object' } }], plain)).toBe(
      [
        'search  Search  [read-only]',
        '  Finds things. …',
        '    query  string         required  What to look for',
        '    limit  integer        optional  How many (default 10)',
        '    order  "up" | "down"  optional',
        '',
        'ping',
      ].join('\n'),
    );
  });

  test('a narrow terminal gets long descriptions wrapped under themselves', () => {
    const lines = renderTools([{ ...search, description: 'word '.repeat(30) }], { ...plain, width: 60 }).split('\n');
    expect(lines[1]).toBe(`  ${'word '.repeat(11).trim()}`);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('nothing of a server reaches the terminal unescaped', () => {
    const tool = {
      name: evil,
      title: `${evil}t`,
      description: evil,
      inputSchema: { properties: { [evil]: { type: evil, description: evil, default: evil, enum: [evil] } } },
    };
    expect(renderTools([tool], plain)).not.toContain('\x1b');
  });

  test('an empty list says so', () => {
    expect(renderTools([], plain)).toBe('The server offers no tools.');
  });
});

test.each<[object | boolean, string]>([
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ type: 'array' }, 'array'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer | null'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'x' }, '"x"'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7] }, '1 | 2 | 3 | 4 | 5 | 6 | …'],
  [{ $ref: '#/$defs/a' }, 'boolean'],
  [{ $ref: '#/$defs/loop' }, 'any'],
  [{ $ref: 'https://elsewhere/' }, 'any'],
  [{}, 'any'],
  [true, 'any'],
])('%j is shown as %s', (schema, expected) => {
  const root = { $defs: { a: { type: 'boolean' }, loop: { $ref: '#/$defs/loop' } } };
  expect(typeText(schema, root)).toBe(expected);
});

describe('discover', () => {
  const found = {
    server: { name: 'demo', version: '1.0', title: 'Demo server' },
    protocolVersion: '2026-07-28',
    era: 'modern' as const,
    supportedVersions: ['2026-07-28', '2025-11-25'],
    capabilities: { tools: { listChanged: true }, resources: { subscribe: false }, logging: {} },
    instructions: 'Be kind.',
    steps: ['server/discover (2026-07-28): answered'],
  };

  test('one row per fact', () => {
    expect(renderDiscovery(found, plain)).toBe(
      [
        'server    demo 1.0 (Demo server)',
        'protocol  2026-07-28 (modern)',
        'speaks    2026-07-28, 2025-11-25',
        'offers    tools (listChanged)',
        '          resources',
        '          logging',
        'found by  server/discover (2026-07-28): answered',
        'advice    Be kind.',
      ].join('\n'),
    );
  });

  test('what is not known is left out', () => {
    const bare = {
      ...found,
      server: undefined,
      supportedVersions: undefined,
      capabilities: {},
      instructions: undefined,
    };
    expect(renderDiscovery(bare, plain)).toBe(
      [
        'server    gives no name',
        'protocol  2026-07-28 (modern)',
        'offers    nothing',
        'found by  server/discover (2026-07-28): answered',
      ].join('\n'),
    );
  });

  test('long instructions are shortened', () => {
    const text = renderDiscovery({ ...found, instructions: 'line\n'.repeat(40) }, plain);
    expect(text.split('\n').slice(-2)).toEqual(['          line', '          … 34 more lines (--json shows all)']);
  });

  test('nothing of a server reaches the terminal unescaped', () => {
    const text = renderDiscovery(
      {
        ...found,
        server: { name: evil, version: evil, title: `${evil}t` },
        supportedVersions: [evil],
        capabilities: { [evil]: { [evil]: true } },
        instructions: evil,
        steps: [evil],
      },
      plain,
    );
    expect(text).not.toContain('\x1b');
  });
});

describe('results', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };

  test('texts as they are, other blocks in one line', () => {
    expect(renderResult([{ type: 'text', text: 'a\nb' }, image], { a: 1 }, plain)).toBe(
      'a\nb\n[image, image/png, 3 B]',
    );
  });

  test('structured content is shown when there is no text', () => {
    expect(renderResult([], { a: 1 }, plain)).toBe('{\n  "a": 1\n}');
    expect(renderResult([image], null, plain)).toBe('[image, image/png, 3 B]\nnull');
    expect(renderResult([], undefined, plain)).toBe('[the result is empty]');
  });

  test('escape sequences are made visible', () => {
    expect(renderResult([{ type: 'text', text: '\x1b[31mred' }], undefined, plain)).toBe(String.raw`\x1b[31mred`);
    expect(renderResult([], { a: evil }, plain)).not.toContain('\x1b');
  });

  test.each([
    [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAAAA==' }, 'audio, audio/wav, 4 B'],
    [
      { type: 'resource_link', name: 'Log', uri: 'file:///a.log', mimeType: 'text/plain', size: 2000 },
      'resource_link, Log, file:///a.log, text/plain, 2.0 kB',
    ],
    [
      { type: 'resource', resource: { uri: 'x://a', mimeType: 'text/plain', text: 'abc' } },
      'resource, x://a, text/plain, 3 characters',
    ],
    [{ type: 'resource', resource: { uri: 'x://a', blob: 'AAAA' } }, 'resource, x://a, 3 B'],
    [{ type: evil, uri: evil, mimeType: evil }, String.raw`\x1b[2Jx, \x1b[2Jx, \x1b[2Jx`],
    [{ type: 'later', more: 1 }, 'later'],
    [null, 'unknown content'],
  ])('%j is summed up', (block, expected) => {
    expect(describeBlock(block)).toBe(expected);
  });
});

test.each([
  [{ progress: 3 }, '3'],
  [{ progress: 3, total: 10 }, '3 of 10 (30 %)'],
  [{ progress: 1, total: 0, message: 'go\n\x1b[2J' }, String.raw`1 of 0  go \x1b[2J`],
])('progress %j', (progress, expected) => {
  expect(progressLine(progress, 80)).toBe(expected);
  expect(progressLine(progress, 5).length).toBeLessThan(5);
});

describe('colour', () => {
  const terminal = { isTTY: true } as Parameters<typeof wantsColor>[0];
  const pipe = {} as Parameters<typeof wantsColor>[0];

  test.each<[string, typeof terminal, boolean, Record<string, string>, boolean]>([
    ['a terminal', terminal, true, {}, true],
    ['a pipe', pipe, true, {}, false],
    ['--no-color', terminal, false, {}, false],
    ['NO_COLOR', terminal, true, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR', terminal, true, { NO_COLOR: '' }, true],
    ['TERM=dumb', terminal, true, { TERM: 'dumb' }, false],
    ['FORCE_COLOR', pipe, true, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR and --no-color', pipe, false, { FORCE_COLOR: '1' }, false],
  ])('%s', (_, stream, wanted, environment, expected) => {
    expect(wantsColor(stream, wanted, environment)).toBe(expected);
  });
});
