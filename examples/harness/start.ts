import { spawn } from 'node:child_process';
import type { Ended } from './judge.ts';

/** Runs a TypeScript file as a process of its own; past `timeoutMs` it and what it started are killed. */
export function start(
  file: string,
  args: readonly string[],
  timeoutMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const command = ['--import', import.meta.resolve('tsx'), file, ...args];
    // A group of its own, so that programs the example started end with it.
    const child = spawn(process.execPath, command, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let [stdout, stderr, timedOut] = ['', '', false];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      killGroup(child.pid);
      resolve({ code, timedOut, stdout, stderr });
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended, as it should.
  }
}
