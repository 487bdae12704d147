/** Installs what the browser and its pages need on first use, and again when the lock has changed. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../', import.meta.url));

export function install() {
  const installed = `${here}node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${here}package-lock.json`).mtimeMs) return;
  console.log('browser: installing the clients');
  // None of them needs its install script: no code runs that the lock file does not pin.
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: here, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
