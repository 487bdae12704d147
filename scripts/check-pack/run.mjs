// Runs commands, as a user of the package would: without the settings that npm hands to the scripts it runs.
import { execFile } from 'node:child_process';

const limitMs = 300_000;
const kept = /^npm_config_(registry|userconfig|cache)$/;

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') || kept.test(name)),
);

/** Resolves with the output of a command that ended well, rejects with its output when it did not. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: limitMs, maxBuffer: 2 ** 26, env, ...options }, (error, stdout, stderr) => {
      if (!error) return resolve({ stdout, stderr });
      const why = error.killed
        ? `did not end within ${(options.timeout ?? limitMs) / 1000} s`
        : `ended with ${error.code}`;
      return reject(new Error(`${[command, ...args].join(' ')} ${why}\n${stdout}${stderr}`.trim()));
    });
  });
}
