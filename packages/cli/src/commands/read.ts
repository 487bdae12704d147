import { writeFileSync } from 'node:fs';
import type { ReadResult } from 'hawser';
import { exit } from '../errors.ts';
import { codeOf } from '../files.ts';
import { renderContents } from '../render-resources.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { clip, count, oneLine, printableJson, short, size, visible } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/** What is to be read, and where it goes. */
export interface Reading {
  readonly uri: string;
  /** `--output`: a file, or `-` for standard output. */
  readonly output: string | undefined;
}

/** `hawser read`: reads a resource and prints it, or writes its bytes. */
export async function read(run: Run, { uri, output }: Reading): Promise<number> {
  const { stdout, options } = run;
  if (output !== undefined && options.json) {
    throw new UsageError('--output writes the bytes of the resource, --json the whole result', 'use one of the two');
  }
  const result = await withSession(run, ({ client, request }) => client.readResource(uri, request));
  if (options.json) stdout.line(printableJson(result.raw));
  else if (output !== undefined) write(run, onlyBytes(result), output);
  else print(run, result);
  return exit.ok;
}

function print({ stdout }: Run, result: ReadResult): void {
  const [only, ...more] = result.contents;
  if (only === undefined || more.length > 0) return stdout.line(renderContents(result.contents, stdout.style));
  if (only.text !== undefined) return stdout.line(visible(only.text).replace(/\n$/, ''));
  const bytes = result.bytes();
  if (!stdout.isTerminal) return stdout.bytes(bytes);
  const kind = only.mimeType === undefined ? '' : ` of ${short(only.mimeType)}`;
  throw new UsageError(
    `the resource is no text but ${size(bytes.length)}${kind}, which a terminal cannot show`,
    'add --output FILE',
  );
}

function onlyBytes(result: ReadResult): Uint8Array {
  if (result.contents.length === 1) return result.bytes();
  throw new UsageError(
    `the resource has ${count(result.contents.length, 'content')}, and --output writes one`,
    'leave --output out, or use --json',
  );
}

function write({ stdout, stderr }: Run, bytes: Uint8Array, output: string): void {
  if (output === '-') return stdout.bytes(bytes);
  try {
    writeFileSync(output, bytes);
  } catch (error) {
    const code = codeOf(error);
    throw new UsageError(
      `cannot write the file "${clip(oneLine(output), 200)}"${code === undefined ? '' : ` (${code})`}`,
    );
  }
  stderr.line(stderr.style.paint.dim(`${size(bytes.length)} written to ${oneLine(output)}`));
}
