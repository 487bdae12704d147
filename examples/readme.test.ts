import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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

test('the server and the client of the README talk to each other', async () => {
  const server = start('./readme-server.ts');
  const url = await new Promise<string>((resolve) => {
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  expect(await output('./readme-client.ts', [url])).toBe(
    'greet - Greets somebody.\nthinking of something nice\nHello, Ada!\n',
  );
});

test('the in-process example of the README prints its sum', async () => {
  expect(await output('./readme-in-process.ts')).toBe('{ sum: 3 }\n');
});
