/** Where the fixtures are, and how they are run. */
import { fileURLToPath } from 'node:url';

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
