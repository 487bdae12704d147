import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Installs this folder's dependencies when they are missing or older than the lock file. */
export function installSuite() {
  const lock = statSync(`${folder}/package-lock.json`).mtimeMs;
  const installed = statSync(`${folder}/node_modules/.package-lock.json`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (installed >= lock) return;
  process.stdout.write('installing the conformance suite\n');
  // Below the level of warnings, since the suite declares a newer Node than it needs.
  const npm = spawnSync('npm', ['ci', '--loglevel', 'error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) throw new Error(`npm ci in ${folder} ended with ${npm.status ?? npm.signal ?? npm.error}`);
}
