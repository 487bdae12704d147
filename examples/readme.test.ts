import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect, type Revision } from 'hawser';
import ts from 'typescript';
import { afterEach, expect, test } from 'vitest';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const started = new Set<ChildProcess>();

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
});

function start(example: string, args: string[] = []): ChildProcess {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), file(example), ...args], {
    cwd: file('.'),
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.add(child);
  return child;
}

/** What an example prints, once it ends by itself. */
async function output(example: string, args: string[] = []): Promise<string> {
  const child = start(example, args);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  return text;
}

/** Starts the server of the README; gives its URL. */
function serverOfReadme(): Promise<string> {
  const server = start('./readme-server.ts');
  return new Promise((resolve) => {
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
}

test('the server and the client of the README talk to each other', async () => {
  const url = await serverOfReadme();
  expect(await output('./readme-client.ts', [url])).toBe(
    'greet - Greets somebody.\nthinking of something nice\nHello, Ada!\n',
  );
});

test('the in-process example of the README prints its sum', async () => {
  expect(await output('./readme-in-process.ts')).toBe('{ sum: 3 }\n');
});

test('[SEED-152] a server that says nothing of sessions type-checks, and serves those who have one and those who have none', async () => {
  const path = file('./readme-server.ts');
  expect(readFileSync(path, 'utf8')).not.toMatch(/session/i);
  const root = file('..');
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const program = ts.createProgram([path], options);
  const problems = program.getSemanticDiagnostics(program.getSourceFile(path));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);

  const url = await serverOfReadme();
  for (const protocol of ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] satisfies Revision[]) {
    const client = await connect(url, { protocol });
    expect(client.protocolVersion).toBe(protocol);
    const heard: unknown[] = [];
    const result = await client.callTool(
      'greet',
      { name: 'Ada' },
      { onProgress: ({ progress }) => heard.push(progress) },
    );
    expect([result.text, ...heard]).toEqual(['Hello, Ada!', 1]);
    await client.close();
  }
}, 30_000);
