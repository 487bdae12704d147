import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveDemo } from './fixtures/demo-http.ts';
import { runInProcess as hawser } from './fixtures/in-process.ts';
import { demoCommand } from './fixtures/run.ts';

const url = await serveDemo();

/** The same run over HTTP and over stdio. */
const links: [string, (command: string, ...words: string[]) => string[]][] = [
  ['http', (command, ...words) => [command, url, ...words]],
  ['stdio', (command, ...words) => [command, ...words, '--', ...demoCommand]],
];

describe.each(links)('over %s', (_, line) => {
  test('discover', async () => {
    const { exitCode, stdout, stderr } = await hawser(line('discover'));
    expect(stdout).toMatch(/^server {4}demo 1\.2\.3 \(Demo server\)$/m);
    expect(stdout).toMatch(/^protocol {2}2026-07-28 \(modern\)$/m);
    expect(stdout).toMatch(/^speaks {4}2026-07-28, /m);
    expect(stdout).toMatch(/^offers {4}tools/m);
    expect(stdout).toMatch(/^found by {2}server\/discover \(2026-07-28\): answered$/m);
    expect(stdout).toMatch(/^advice {4}Ask echo for an echo\.$/m);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test.each(['2025-11-25', 'legacy', 'modern'])('discover --protocol %s --json', async (protocol) => {
    const { exitCode, stdout } = await hawser(line('discover', '--json', '--protocol', protocol));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      server: { name: 'demo', version: '1.2.3' },
      protocolVersion: protocol === 'modern' ? '2026-07-28' : '2025-11-25',
      era: protocol === 'modern' ? 'modern' : 'legacy',
      capabilities: { tools: {} },
    });
  });

  test('call prints text', async () => {
    const outcome = await hawser(line('call', 'echo', 'text=12', 'times=2'));
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '12\n12\n', stderr: '' });
  });

  test("a tool's own error is exit code 1", async () => {
    const { exitCode, stdout } = await hawser(line('call', 'fail'));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'it did not work\n' });
  });

  test('ping', async () => {
    const { exitCode, stdout } = await hawser(line('ping'));
    expect(stdout).toMatch(/^demo 1\.2\.3 answered in [\d.]+ ms, 2026-07-28 \(modern\)\n$/);
    expect(exitCode).toBe(0);
  });
});

describe('tools', () => {
  test('for people', async () => {
    const { exitCode, stdout, stderr } = await hawser(['tools', url]);
    expect(stdout).toContain(
      [
        'echo  Echo  [read-only]',
        '  Says the same again. …',
        '    text   string   required  What to say',
        '    times  integer  optional  (default 1)',
      ].join('\n'),
    );
    expect(stdout).toContain(String.raw`Escape \x1b[2J`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test('--json', async () => {
    const { stdout } = await hawser(['tools', url, '--json']);
    const tools = JSON.parse(stdout) as { name: string }[];
    expect(tools.map(({ name }) => name).slice(0, 6)).toEqual(['echo', 'dump', 'fail', 'hostile', 'picture', 'wait']);
    expect(tools[0]).toMatchObject({ inputSchema: { properties: { text: { type: 'string' } }, required: ['text'] } });
  });
});

describe('call', () => {
  const dumped = async (words: string[], input = '') => {
    const { stdout } = await hawser(['call', url, 'dump', ...words, '--json'], { input });
    return (JSON.parse(stdout) as { structuredContent: unknown }).structuredContent;
  };

  test('--json gives the whole result; options may also stand before the command', async () => {
    const { stdout, exitCode } = await hawser(['--json', 'call', url, 'echo', 'text=hi']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'hi' }] });
  });

  test('arguments of every kind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hawser-'));
    try {
      writeFileSync(join(folder, 'a.txt'), 'from a file\n');
      expect(await dumped(['a=1', 'b:=[1]', 'c.d=x', `e=@${join(folder, 'a.txt')}`])).toEqual({
        a: '1',
        b: [1],
        c: { d: 'x' },
        e: 'from a file\n',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('--args takes the whole object; -, and --args -, from standard input', async () => {
    expect(await dumped(['--args', '{"a": [1]}'])).toEqual({ a: [1] });
    expect(await dumped(['--args', '-'], '{"a": "ü"}')).toEqual({ a: 'ü' });
    expect(await dumped(['-'], '{"a": {"b": null}}\n')).toEqual({ a: { b: null } });
  });

  test('structured content and pictures without --json', async () => {
    const structured = await hawser(['call', url, 'dump', 'a:=1']);
    expect(JSON.parse(structured.stdout)).toEqual({ a: 1 });
    expect((await hawser(['call', url, 'picture'])).stdout).toBe('[image, image/png, 3 B]\n');
  });

  test('escape sequences of the server are shown, not obeyed', async () => {
    const { stdout } = await hawser(['call', url, 'hostile']);
    expect(stdout).toBe(`${String.raw`\x1b]0;owned\x07\x9b31m`}\n`);
  });

  test('an argument that does not fit the schema is wrong usage, with a hint', async () => {
    const { exitCode, stderr } = await hawser(['call', url, 'echo', 'text=hi', 'times=many']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^hawser: times wants an integer, and "many" is none\n {2}hint: for example times=3/);
  });

  test('an unknown tool names those that are close', async () => {
    const { exitCode, stderr } = await hawser(['call', url, 'ehco', 'text=hi']);
    expect(stderr).toMatch(
      /^hawser: the server has no tool "ehco"; it offers \d+ tools\n {2}hint: did you mean echo\?\n$/,
    );
    expect(exitCode).toBe(2);
  });

  test('standard input that is no object is wrong usage, before anything is sent', async () => {
    const { exitCode, stderr } = await hawser(['call', 'http://127.0.0.1:9/mcp', 'dump', '-'], { input: '[]' });
    expect(stderr).toMatch(/^hawser: standard input is an array, not a JSON object\n {2}hint: /);
    expect(exitCode).toBe(2);
  });
});

describe('resources and read', () => {
  test('resources, and the templates with them', async () => {
    const { exitCode, stdout } = await hawser(['resources', url]);
    expect(stdout).toBe(
      [
        'memo://notes  Notes  text/plain, 6 B',
        '  What to do. …',
        'memo://logo  logo  image/png',
        'https://demo.test/page  page',
        'memo://both  both',
        'templates',
        'memo://about/{topic}  about',
        '  On a topic',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
  });

  test('resources --json', async () => {
    const { stdout } = await hawser(['resources', url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      resources: [{ uri: 'memo://notes', name: 'notes', size: 6 }, {}, {}, {}],
      resourceTemplates: [{ uriTemplate: 'memo://about/{topic}', name: 'about' }],
    });
  });

  test.each([
    ['a text, made safe to print', 'memo://notes', 'milk\\x1b[2J\n'],
    ['one of a template', 'memo://about/tea', 'about tea\n'],
    ['one behind an address', 'https://demo.test/page', 'a page\n'],
    ['several contents', 'memo://both', 'memo://both/a\nfirst\n[resource, memo://both/b, image/gif, 3 B]\n'],
  ])('read: %s', async (_, uri, expected) => {
    expect(await hawser(['read', url, uri])).toMatchObject({ exitCode: 0, stdout: expected, stderr: '' });
  });

  test('read --json gives the whole result', async () => {
    const { stdout } = await hawser(['read', url, 'memo://notes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ contents: [{ uri: 'memo://notes', text: 'milk\u001b[2J\n' }] });
  });

  test('bytes go to a pipe as they are, and not to a terminal', async () => {
    const logo = Buffer.from([137, 80, 78, 71, 0]);
    expect((await hawser(['read', url, 'memo://logo'])).bytes).toEqual(logo);
    const refused = await hawser(['read', url, 'memo://logo'], { terminal: { stdout: true } });
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/no text but 5 B of image\/png.*\n.*\n? *hint: add --output FILE\n$/);
    const forced = await hawser(['read', url, 'memo://logo', '--output', '-'], { terminal: { stdout: true } });
    expect(forced.bytes).toEqual(logo);
  });

  test('--output writes the bytes to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hawser-'));
    try {
      const file = join(folder, 'notes.txt');
      const { exitCode, stdout, stderr } = await hawser(['read', url, 'memo://notes', '--output', file]);
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: `9 B written to ${file}\n` });
      expect(readFileSync(file, 'utf8')).toBe('milk\u001b[2J\n');
      const failed = await hawser(['read', url, 'memo://notes', '--output', join(folder, 'no', 'such')]);
      expect(failed.stderr).toMatch(/cannot write the file ".*" \(ENOENT\)/);
      expect(failed.exitCode).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('--output of several contents is refused', async () => {
    const { exitCode, stderr } = await hawser(['read', url, 'memo://both', '--output', '-']);
    expect(stderr).toMatch(/has 2 contents/);
    expect(exitCode).toBe(2);
  });

  test.each(['2026-07-28', '2025-11-25'])(
    'what is not there: error, place, era, what to try (%s)',
    async (protocol) => {
      const { exitCode, stderr } = await hawser(['read', url, 'memo://none', '--protocol', protocol]);
      expect(stderr.split('\n')).toEqual([
        expect.stringMatching(/^hawser: the server answered with error -32\d{3}: there is no resource memo:\/\/none$/),
        `  at ${url}, revision ${protocol} (${protocol === '2026-07-28' ? 'modern' : 'legacy'})`,
        `  hint: hawser resources ${url} lists what can be read`,
        '',
      ]);
      expect(exitCode).toBe(4);
    },
  );
});

describe('prompts and prompt', () => {
  test('prompts', async () => {
    const { stdout } = await hawser(['prompts', url]);
    expect(stdout).toBe(
      [
        'review  Review',
        '  Reviews code',
        '    language  required  In which language',
        '    style     optional',
        '',
      ].join('\n'),
    );
  });

  test('prompts --json', async () => {
    const { stdout } = await hawser(['prompts', url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'review', arguments: [{ name: 'language', required: true }, {}] },
    ]);
  });

  test.each(['2026-07-28', '2025-03-26'])('prompt prints its messages (%s)', async (protocol) => {
    const { exitCode, stdout } = await hawser(['prompt', url, 'review', 'language=1', '--protocol', protocol]);
    expect(stdout).toBe('A review\n\nuser\nReview this 1, plain.\n\nassistant\n[image, image/png, 3 B]\n');
    expect(exitCode).toBe(0);
  });

  test('prompt --json gives the whole result', async () => {
    const { stdout } = await hawser(['prompt', url, 'review', 'language=C', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }] });
  });

  test.each<[string, string[], RegExp]>([
    ['a prompt that is not there', ['reviews'], /no prompt "reviews"; it offers 1 prompt\n.*did you mean review\?/],
    ['an argument that is missing', ['review'], /needs language\n {2}hint: add language='…'/],
    ['an argument that is no text', ['review', 'language:=1'], /language has to be text here/],
  ])('%s is wrong usage', async (_, words, message) => {
    const { exitCode, stderr } = await hawser(['prompt', url, ...words]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

describe('complete', () => {
  test.each<[string, string[], string]>([
    ['an argument of a prompt', ['prompt:review', 'language', 'p'], 'Python\nPerl\n'],
    ['without a value', ['prompt:review', 'language'], 'Python\nPerl\n'],
    ['in the context of others', ['prompt:review', 'language', 'f', '--context', 'style=old'], 'Fortran\nForth\n'],
    ['a variable of a template', ['memo://about/{topic}', 'topic', 'te'], 'tea\nteak\n'],
  ])('%s', async (_, words, expected) => {
    expect(await hawser(['complete', url, ...words])).toMatchObject({ exitCode: 0, stdout: expected, stderr: '' });
  });

  test('nothing to suggest, and --json', async () => {
    expect(await hawser(['complete', url, 'prompt:review', 'language', 'x'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'no suggestions\n',
    });
    const { stdout } = await hawser(['complete', url, 'prompt:review', 'language', 'py', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ values: ['Python'] });
  });

  test.each<[string, string[], RegExp]>([
    ['nothing', [], /nothing to complete is named/],
    ['no argument', ['prompt:review'], /no argument is named/],
    [
      'neither prompt nor template',
      ['review', 'language'],
      /neither a prompt nor a template\n {2}hint: write prompt:review/,
    ],
  ])('%s is wrong usage', async (_, words, message) => {
    const { exitCode, stderr } = await hawser(['complete', url, ...words]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

test('ping --json', async () => {
  const { stdout } = await hawser(['ping', url, '--json', '--protocol', 'legacy']);
  expect(JSON.parse(stdout)).toEqual({
    elapsedMs: expect.any(Number) as number,
    server: expect.objectContaining({ name: 'demo' }) as object,
    protocolVersion: '2025-11-25',
    era: 'legacy',
  });
});

describe('--log-level', () => {
  test.each(['2026-07-28', '2025-11-25'])('shows the log of the server from there on (%s)', async (protocol) => {
    const line = ['call', url, 'chatter', '--protocol', protocol];
    expect(await hawser([...line, '--log-level', 'info'])).toMatchObject({
      stdout: 'done\n',
      stderr: `[warning] store: {"disk":"full\\u001b[2J"}\n`,
    });
    const { stderr } = await hawser([...line, '--log-level', 'debug']);
    expect(stderr).toMatch(/^\[debug\] a detail\n\[warning\] store: /);
  });

  test.each(['2026-07-28', '2025-11-25'])('without it nothing is shown (%s)', async (protocol) => {
    expect(await hawser(['call', url, 'chatter', '--protocol', protocol])).toMatchObject({
      stdout: 'done\n',
      stderr: '',
    });
  });
});

describe('progress', () => {
  test('is one live line on a terminal, taken away at the end', async () => {
    const { stdout, stderr } = await hawser(['call', url, 'work'], { terminal: { stderr: true } });
    expect(stderr).toBe('\r1 of 2 (50 %)  half\x1b[K\r2 of 2 (100 %)\x1b[K\r\x1b[K');
    expect(stdout).toBe('done\n');
  });

  test.each([
    ['to a file', {}, []],
    ['with --verbose', { terminal: { stderr: true } }, ['--verbose']],
  ])('%s there is none', async (_, world, more) => {
    const { stderr } = await hawser(['call', url, 'work', ...more], world);
    expect(stderr).not.toMatch(/^\r?1 of 2/m);
  });
});
