// Installs this folder's own dependencies on first use, and again when the lock file has changed.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function install() {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const done = `${folder}node_modules/.package-lock.json`;
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs) return;
  process.stderr.write('installing the peers (first use) …\n');
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
