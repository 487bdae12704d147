import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { dirname, delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const program = `${folder}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const preload = new URL('./preload.mjs', import.meta.url).href;

/**
 * Runs one command of the suite to its end, with this folder as working directory.
 *
 * Resolves to what ended it and its whole output, which is also written to `logFile`. Its exit code is information
 * only: it hides warnings, killed clients and skipped scenarios.
 */
export function runSuite(args, { logFile, env = {}, timeoutMs = 300_000 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', preload, program, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // The suite starts clients through a shell: this `node` comes first there.
      env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
      // Its own process group, so that clients left behind can be ended with it.
      detached: process.platform !== 'win32',
    });
    const log = createWriteStream(logFile);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        log.write(text);
      });
    }
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      log.end(() => resolve({ code, signal, timedOut, output }));
    });
  });
}

function endGroup(child) {
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
