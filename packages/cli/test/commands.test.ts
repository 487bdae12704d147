import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHttp } from 'hawser/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoServer } from './fixtures/demo.mjs';
import { demoCommand, hawser } from './fixtures/run.ts';

let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const served = await serveHttp(demoServer());
  url = served.url;
  close = () => served.close();
});
afterAll(() => close());

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

  test('tools', async () => {
    const { exitCode, stdout, stderr } = await hawser(line('tools'));
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

  test('tools --json', async () => {
    const { stdout } = await hawser(line('tools', '--json'));
    const tools = JSON.parse(stdout) as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'dump', 'fail', 'hostile', 'picture', 'wait']);
    expect(tools[0]).toMatchObject({ inputSchema: { properties: { text: { type: 'string' } }, required: ['text'] } });
  });

  test('call prints text', async () => {
    const outcome = await hawser(line('call', 'echo', 'text=12', 'times=2'));
    expect(outcome).toEqual({ exitCode: 0, stdout: '12\n12\n', stderr: '' });
  });

  test('call --json gives the whole result', async () => {
    const { stdout, exitCode } = await hawser(line('call', 'echo', 'text=hi', '--json'));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'hi' }] });
  });

  test("a tool's own error is exit code 1", async () => {
    const { exitCode, stdout } = await hawser(line('call', 'fail'));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'it did not work\n' });
  });
});

test('options may also stand before the command', async () => {
  const { stdout } = await hawser(['--json', 'call', url, 'echo', 'text=hi']);
  expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'hi' }] });
});

describe('call', () => {
  const dumped = async (words: string[], input?: string) => {
    const { stdout } = await hawser(['call', url, 'dump', ...words, '--json'], input === undefined ? {} : { input });
    return (JSON.parse(stdout) as { structuredContent: unknown }).structuredContent;
  };

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

  test('--args takes the whole object, also from standard input', async () => {
    expect(await dumped(['--args', '{"a": [1]}'])).toEqual({ a: [1] });
    expect(await dumped(['--args', '-'], '{"a": "ü"}')).toEqual({ a: 'ü' });
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
    expect(stderr).toBe('hawser: the server has no tool "ehco"; it offers 6 tools\n  hint: did you mean echo?\n');
    expect(exitCode).toBe(2);
  });
});
