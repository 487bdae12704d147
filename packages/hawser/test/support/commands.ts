/** Where the fixtures are, and how they are run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Where a fixture is. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** The command of the server by hand, told what to do. */
export function byHand(options: Record<string, unknown> = {}): [string, ...string[]] {
  return [process.execPath, fixture('server.mjs'), JSON.stringify(options)];
}

/** The command of a fixture in TypeScript. It has to be run in {@link root}. */
export function inTypeScript(name: string, ...args: string[]): [string, ...string[]] {
  return [process.execPath, '--import', 'tsx', fixture(name), ...args];
}

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Starts a server among the fixtures in a process of its own; ended when the test is over. */
export function startFixture(name: string, ...args: string[]) {
  const [program, ...words] = inTypeScript(name, ...args);
  const child = spawn(program, words, { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk));
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const lines = async (count: number) => {
    while (text.out.split('\n').length <= count) await once(child.stdout, 'data');
    return text.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { child, text, send, ended, lines };
}
