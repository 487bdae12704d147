/** The example server holds what it promises: it reads nothing but its pages, and writes nothing without a yes. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, ResourceNotFoundError, type Client, type ConnectOptions } from 'hawser';
import { afterEach, describe, expect, test } from 'vitest';
import { library } from './library.ts';

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function visit(options: ConnectOptions): Promise<{ client: Client; notes: string }> {
  const notes = join(mkdtempSync(join(tmpdir(), 'hawser-library-')), 'notes.md');
  const client = await connect(library(notes), options);
  open.push(client);
  return { client, notes };
}

describe.each(['modern', 'legacy'] as const)('%s', (protocol) => {
  test('every page that is listed can be read and completed', async () => {
    const { client } = await visit({ protocol });
    const uris = (await client.listResources()).map(({ uri }) => uri).filter((uri) => uri.startsWith('docs://'));
    expect(uris).toContain('docs://docs/build-a-server.md');
    for (const uri of uris) expect((await client.readResource(uri)).text).toMatch(/^# /);
    const { values } = await client.complete(
      { type: 'ref/resource', uri: 'docs://{+path}' },
      { name: 'path', value: 'BUILD' },
    );
    expect(values).toEqual(['docs/build-a-client.md', 'docs/build-a-server.md']);
  });

  test.each([
    'docs://package.json',
    'docs://../package.json',
    'docs://docs/../package.json',
    'docs://',
    'docs:///etc/passwd',
  ])('nothing else is read: %s', async (uri) => {
    const { client } = await visit({ protocol });
    await expect(client.readResource(uri)).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  test('a search counts what it does not show', async () => {
    const { client } = await visit({ protocol });
    const { structured } = await client.callTool('search', { word: 'HAWSER', limit: 2 });
    expect(structured).toMatchObject({ hits: [{ uri: 'docs://README.md', line: 1, text: '# Hawser' }, {}] });
    expect((structured as { more: number }).more).toBeGreaterThan(5);
    expect((await client.callTool('search', { word: 'no such word at all' })).structured).toEqual({
      hits: [],
      more: 0,
    });
  });

  test('a note is written once, and only with a yes', async () => {
    let yes = false;
    const { client, notes } = await visit({
      protocol,
      onElicit: () => (yes ? { title: 'Ropes' } : { action: 'decline' }),
    });
    expect((await client.callTool('note', { text: 'thick' })).text).toBe('Nothing was written.');
    expect(existsSync(notes)).toBe(false);
    yes = true;
    expect((await client.callTool('note', { text: 'thick' })).text).toBe('Written: Ropes');
    expect(readFileSync(notes, 'utf8')).toBe('## Ropes\n\nthick\n\n');
    expect((await client.readResource('notes://all')).text).toBe('## Ropes\n\nthick\n\n');
  });

  test('a page is explained with the page itself', async () => {
    const { client } = await visit({ protocol });
    const { messages } = await client.getPrompt('explain', { page: 'README.md', reader: 'a sailor' });
    expect(messages.map(({ content }) => content)).toMatchObject([
      { type: 'text', text: 'Explain this page to a sailor.' },
      { type: 'resource', resource: { uri: 'docs://README.md' } },
    ]);
    await expect(client.getPrompt('explain', { page: 'package.json' })).rejects.toThrow('there is no such page');
  });
});
