import { readFileSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { Tool } from 'hawser';
import { parseArguments, parseWhole } from '../args.ts';
import { exit } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { progressLine, renderResult } from '../render.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { retype } from '../target.ts';
import { clip, count, oneLine, printableJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/** What is to be called, as the command line gives it. */
export interface Call {
  readonly tool: string;
  /** `key=value` and its relatives. */
  readonly words: readonly string[];
  /** `--args`: the whole object as JSON, or `-` for standard input. */
  readonly whole: string | undefined;
}

/** `hawser call`: calls one tool and prints what it gives back. */
export async function call(run: Run, { tool: name, words, whole }: Call): Promise<number> {
  if (whole !== undefined && words.length > 0) {
    throw new UsageError('--args gives all arguments, so key=value cannot be added', 'use one of the two');
  }
  const given = whole === undefined ? undefined : parseWhole(whole === '-' ? await readStdin(run.signal) : whole);
  const { signal, stderr, stdout, options } = run;
  const result = await withSession(run, async ({ client }) => {
    const tool = find(name, await client.listTools({ signal }), run);
    const args = given ?? parseArguments(words, tool.inputSchema, (path) => readFileSync(path, 'utf8'));
    const showProgress = stderr.isTerminal && !options.verbose;
    return client.callTool(tool.name, args, {
      signal,
      // Always asked for, shown or not: progress also extends the time limit.
      onProgress: (progress) => {
        if (showProgress) stderr.live(progressLine(progress, stderr.style.width));
      },
    });
  });
  stdout.line(options.json ? printableJson(result.raw) : renderResult(result.content, result.structured, stdout.style));
  return result.isError ? exit.tool : exit.ok;
}

function find(name: string, tools: readonly Tool[], run: Run): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const meant = nearest(
    name,
    tools.map((candidate) => candidate.name),
  ).map(oneLine);
  const offered = tools.length === 0 ? 'the server offers none' : `it offers ${count(tools.length, 'tool')}`;
  throw new UsageError(
    `the server has no tool "${clip(oneLine(name), 60)}"; ${offered}`,
    meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : `${retype('tools', run.target)} lists them`,
  );
}

async function readStdin(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of addAbortSignal(signal, process.stdin)) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
