import { describe, expect, test } from 'vitest';
import type { CallToolResult, ContentBlock, ImageContent } from '../model/types.ts';
import { failed, reasonOf, toResult, withText } from './tool-result.ts';

const image: ImageContent = { type: 'image', data: 'AA==', mimeType: 'image/png' };

describe('what a handler may give back', () => {
  test.each<[string, unknown, CallToolResult]>([
    ['nothing', undefined, { content: [] }],
    ['text', 'a', { content: [{ type: 'text', text: 'a' }] }],
    ['empty text', '', { content: [{ type: 'text', text: '' }] }],
    ['no blocks', [], { content: [] }],
    ['blocks', [image, { type: 'text', text: 'a' }], { content: [image, { type: 'text', text: 'a' }] }],
    ['one block', image, { content: [image] }],
    [
      'one block of text, with all it has',
      { type: 'text', text: 'a', annotations: { priority: 1 } },
      { content: [{ type: 'text', text: 'a', annotations: { priority: 1 } }] },
    ],
    ['{ text }', { text: 'a' }, { content: [{ type: 'text', text: 'a' }] }],
    ['{ text, content }', { text: 'a', content: [image] }, { content: [{ type: 'text', text: 'a' }, image] }],
    ['{ structured }', { structured: { a: 1 } }, { content: [], structuredContent: { a: 1 } }],
    ['{ structured: null }', { structured: null }, { content: [], structuredContent: null }],
    ['{ structured: 0 }', { structured: 0 }, { content: [], structuredContent: 0 }],
    ["{ structured: '' }", { structured: '' }, { content: [], structuredContent: '' }],
    ['{ structured: false }', { structured: false }, { content: [], structuredContent: false }],
    ['a failure', { text: 'no', isError: true }, { content: [{ type: 'text', text: 'no' }], isError: true }],
    ['no failure', { text: 'a', isError: false }, { content: [{ type: 'text', text: 'a' }] }],
    ['`_meta`', { content: [], _meta: { a: 1 } }, { content: [], _meta: { a: 1 } }],
    [
      'a whole result',
      { content: [image], structuredContent: [1], isError: true, _meta: {} },
      { content: [image], structuredContent: [1], isError: true, _meta: {} },
    ],
  ])('%s', (_, returned, result) => {
    expect(toResult(returned)).toEqual(result);
  });

  test.each<[string, unknown]>([
    ['a number', 5],
    ['a boolean', true],
    ['null', null],
    ['a BigInt', 5n],
    ['a symbol', Symbol('s')],
    ['a function', () => 'a'],
    ['plain data', { city: 'Oslo' }],
    ['an empty object', {}],
    ['content that is no list', { content: 'a' }],
    ['content that is an object', { content: image }],
    ['one block of a type that is none', { type: 'video', data: 'AA==', mimeType: 'video/mp4' }],
    ['one block that lacks something', { type: 'image', data: 'AA==' }],
    ['a block without a type', [{ text: 'a' }]],
    ['a block that is text', ['a']],
    ['a block that is null', [null]],
    ['a type that is none', [{ type: 'video', data: 'AA==', mimeType: 'video/mp4' }]],
    ['a type that every object has', [{ type: 'constructor' }]],
    ['text without text', [{ type: 'text' }]],
    ['text that is a number', [{ type: 'text', text: 5 }]],
    ['{ text } that is a number', { text: 5 }],
    ['an image without data', [{ type: 'image', mimeType: 'image/png' }]],
    ['an image without its type', [{ type: 'image', data: 'AA==' }]],
    ['audio whose data are bytes', [{ type: 'audio', data: new Uint8Array(1), mimeType: 'audio/wav' }]],
    ['a link without a name', [{ type: 'resource_link', uri: 'x:y' }]],
    ['a link without a URI', [{ type: 'resource_link', name: 'n' }]],
    ['a resource without contents', [{ type: 'resource' }]],
    ['contents without a URI', [{ type: 'resource', resource: { text: 'a' } }]],
    ['contents without text or blob', [{ type: 'resource', resource: { uri: 'x:y' } }]],
    ['structured content that is a function', { structured: () => 1 }],
    ['structured content that is a symbol', { structured: Symbol('s') }],
  ])('nothing else: %s', (_, returned) => {
    expect(toResult(returned)).toBeTypeOf('string');
  });

  test.each<ContentBlock>([
    { type: 'text', text: '' },
    image,
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'x:y', name: '', icons: [], size: 1 },
    { type: 'resource', resource: { uri: 'x:y', text: '' } },
    { type: 'resource', resource: { uri: 'x:y', blob: '' } },
  ])('[TOOL-019] content of type $type', (block) => {
    expect(toResult([{ ...block, _meta: { a: 1 }, annotations: { priority: 1 } }])).toEqual({
      content: [{ ...block, _meta: { a: 1 }, annotations: { priority: 1 } }],
    });
  });
});

describe('structured content', () => {
  test.each([{ a: [1] }, [1, 2], 'text', 5, true, null, ''])('[TOOL-016] %j is put into a text block too', (value) => {
    expect(withText({ content: [], structuredContent: value })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    });
  });

  test('[TOOL-016] after other content, unless there is text', () => {
    expect(withText({ content: [image], structuredContent: [1] }).content).toEqual([
      image,
      { type: 'text', text: '[1]' },
    ]);
    const told: CallToolResult = { content: [{ type: 'text', text: 'one' }, image], structuredContent: [1] };
    expect(withText(told)).toBe(told);
    const without: CallToolResult = { content: [image] };
    expect(withText(without)).toBe(without);
  });

  test('what is no JSON is an error', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const structuredContent of [cycle, { a: 5n }] as never[])
      expect(() => withText({ content: [], structuredContent })).toThrow(TypeError);
  });
});

describe('what a handler throws', () => {
  test.each<[unknown, string]>([
    [new Error('no such city'), 'no such city'],
    [new RangeError(''), 'RangeError'],
    ['just text', 'just text'],
    [{ message: 'an object' }, 'an object'],
    [{ message: 5, name: 'Odd' }, 'Odd'],
    [undefined, 'the tool failed'],
    [null, 'the tool failed'],
    [42, 'the tool failed'],
    [{}, 'the tool failed'],
    [Object.create(null), 'the tool failed'],
    [Symbol('s'), 'the tool failed'],
  ])('%s', (thrown, reason) => {
    expect(reasonOf(thrown)).toBe(reason);
  });

  test('becomes a failure with that text', () => {
    expect(failed('no')).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
  });
});
