/** Finds programs that no package brings along. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macs = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium. @throws Error that names what is missing, and how to get it */
export function findChromium() {
  const given = process.env.CHROMIUM;
  if (given !== undefined && given !== '') {
    if (runs(given)) return given;
    throw new Error(`CHROMIUM names ${given}, which is no program`);
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...macs].find(runs);
  if (found !== undefined) return found;
  throw new Error(
    `Chromium is missing: none of ${names.join(', ')} is in PATH. ` +
      'Install it (Debian: apt-get install chromium), or let CHROMIUM name it',
  );
}

/** A Node that the Inspector 2.x runs on: this one if it is new enough, else the one of the packages. */
export function findNodeForInspector() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const packaged = fileURLToPath(
    new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  );
  if (existsSync(packaged)) return packaged;
  throw new Error(`Node 22.19 is missing: this is ${process.version}, and no package has one for this machine`);
}
