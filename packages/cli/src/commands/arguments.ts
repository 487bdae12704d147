import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import { parseArguments } from '../args.ts';
import { readText } from '../files.ts';
import type { Run } from '../session.ts';
import { count, short } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Arguments of prompts and templates: texts, and nothing else.
 *
 * @param names those that are known: a dot in one of them leads into no object
 * @throws UsageError as {@link parseArguments}, and when one of the values is no text
 */
export function textArguments(words: readonly string[], names: readonly string[]): Record<string, string> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const args = parseArguments(words, { properties }, readText);
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'string') continue;
    throw new UsageError(`${short(name)} has to be text here`, `write ${short(name)}='…'`);
  }
  return args as Record<string, string>; // just checked
}

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
