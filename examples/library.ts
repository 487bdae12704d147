// A small real server: it searches and reads the documentation of this repository, and writes a note if you agree.
import { readdirSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { Server } from 'hawser/server';
import { z } from 'zod';

const root = new URL('../', import.meta.url);

/** Only these pages are ever read, so no path leads out of the repository. */
const pages = ['README.md', 'DESIGN.md', ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`)];
const read = (page: string): Promise<string> => readFile(new URL(page, root), 'utf8');
const has = (text: string, word: string): boolean => text.toLowerCase().includes(word.toLowerCase());
const pagesWith = (word: string): string[] => pages.filter((page) => has(page, word));

const Page = z.string().refine((page) => pages.includes(page), 'there is no such page');
const Hit = z.object({ uri: z.string(), line: z.number(), text: z.string() });

/** The server; `notes` is the file that notes are written to. */
export function library(notes: string): Server {
  const server = new Server({
    name: 'library',
    version: '1.0.0',
    title: 'The library of Hawser',
    instructions: 'Search first, then read the page of the best hit.',
  });

  server.template(
    'docs://{+path}',
    {
      name: 'page',
      description: 'A page of the documentation.',
      mimeType: 'text/markdown',
      list: () => pages.map((page) => ({ uri: `docs://${page}`, name: page, mimeType: 'text/markdown' })),
      complete: { path: pagesWith },
    },
    ({ path = '' }) => (pages.includes(path) ? read(path) : undefined),
  );

  server.resource('notes://all', { name: 'notes', mimeType: 'text/markdown' }, () =>
    readFile(notes, 'utf8').catch(() => 'There are no notes yet.\n'),
  );

  server.tool(
    'search',
    {
      description: 'Finds lines of the documentation that have a word in them.',
      input: z.object({ word: z.string().min(2), limit: z.number().int().min(1).max(50).default(5) }),
      output: z.object({ hits: z.array(Hit), more: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ word, limit }, ctx) => {
      const hits: z.infer<typeof Hit>[] = [];
      for (const [index, page] of pages.entries()) {
        const lines = (await read(page)).split('\n');
        for (const [i, text] of lines.entries()) {
          if (has(text, word)) hits.push({ uri: `docs://${page}`, line: i + 1, text });
        }
        await ctx.progress(index + 1, pages.length, page);
      }
      ctx.log('info', { word, hits: hits.length }, 'search');
      return { structured: { hits: hits.slice(0, limit), more: Math.max(0, hits.length - limit) } };
    },
  );

  server.tool(
    'note',
    { description: 'Writes a note, once the person has given it a title.', input: z.object({ text: z.string() }) },
    async ({ text }, ctx) => {
      const answer = await ctx.tryElicit('title', {
        message: `Write this note? ${text}`,
        schema: z.object({ title: z.string().min(1).max(60) }),
        bound: true, // only an answer to this very question counts
      });
      if (answer.action !== 'accept') return 'Nothing was written.';
      // The handler may run more than once, see docs/ask-the-user.md; the note is written once.
      await ctx.step('write', () => appendFile(notes, `## ${answer.content.title}\n\n${text}\n\n`));
      server.changed.resource('notes://all');
      return `Written: ${answer.content.title}`;
    },
  );

  server.prompt(
    'explain',
    {
      description: 'Explains a page of the documentation.',
      input: z.object({ page: Page, reader: z.string().optional() }),
      complete: { page: pagesWith },
    },
    async ({ page, reader }) => {
      const resource = { uri: `docs://${page}`, mimeType: 'text/markdown', text: await read(page) };
      return [
        { role: 'user', content: { type: 'text', text: `Explain this page to ${reader ?? 'a newcomer'}.` } },
        { role: 'user', content: { type: 'resource', resource } },
      ];
    },
  );

  return server;
}
