import { spawn } from 'node:child_process';

const patienceMs = 2_000;

/** The program that opens an address in the browser, and its arguments. No shell: an address may hold anything. */
export function openerOf(platform: NodeJS.Platform, href: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', href];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', href];
  return ['xdg-open', href];
}

/** Opens a web address in the browser; resolves with why that failed, or undefined when nothing speaks against it. */
export function openUrl(platform: NodeJS.Platform, href: string): Promise<string | undefined> {
  const [program, ...args] = openerOf(platform, href);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    // Some run as long as the browser does: what has not failed by then is taken to work.
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    const done = (failure: string | undefined) => {
      clearTimeout(timer);
      resolve(failure);
    };
    child.once('error', (error: Error & { code?: string }) => {
      done(error.code === 'ENOENT' ? `there is no ${program} here` : error.message);
    });
    child.once('exit', (code) => done(code === 0 || code === null ? undefined : `${program} ended with ${code}`));
    child.unref();
  });
}
