import { readFileSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Run } from '../session.ts';
import { count } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/** Reads a file that the command line names, as text. */
export const readText = (path: string): string => readFileSync(path, 'utf8');

/** Largest object of arguments that is read from standard input. */
const mostBytes = 64 * 1024 * 1024;

/**
 * All of standard input as text.
 *
 * @throws UsageError when it is larger than 64 MiB
 */
export async function readStdin({ stdin, signal }: Pick<Run, 'stdin' | 'signal'>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Any stream of Node's that can be read is one.
  for await (const chunk of addAbortSignal(signal, stdin as Readable)) {
    const data = Buffer.from(chunk as Uint8Array);
    bytes += data.length;
    if (bytes > mostBytes) throw new UsageError(`standard input is larger than ${count(mostBytes, 'byte')}`);
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString('utf8');
}
