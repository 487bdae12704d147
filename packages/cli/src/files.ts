import { readFileSync } from 'node:fs';
import { isObject } from './schema.ts';

/** Reads a file as UTF-8 text; throws what the file system throws. */
export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Why Node could not do something, as its code says it (`ENOENT`); undefined for errors without one. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
}
