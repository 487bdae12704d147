import { parseArguments, parseWhole } from '../args.ts';
import { exit } from '../errors.ts';
import { readText } from '../files.ts';
import { offered } from '../offered.ts';
import { renderResult } from '../render.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { printableJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { readStdin } from './arguments.ts';

/** What is to be called, as the command line gives it. */
export interface Call {
  readonly tool: string;
  /** `key=value` and its relatives, or one `-` for standard input. */
  readonly words: readonly string[];
  /** `--args`: the whole object as JSON, or `-` for standard input. */
  readonly whole: string | undefined;
}

/** `hawser call`: calls one tool and prints what it gives back. */
export async function call(run: Run, asked: Call): Promise<number> {
  const given = await wholeOf(run, asked);
  const { stdout, options } = run;
  const result = await withSession(run, async ({ client, request }) => {
    const tool = offered('tool', asked.tool, await client.listTools({ signal: request.signal }), run.target);
    return client.callTool(tool.name, given ?? parseArguments(asked.words, tool.inputSchema, readText), request);
  });
  stdout.line(options.json ? printableJson(result.raw) : renderResult(result.content, result.structured, stdout.style));
  return result.isError ? exit.tool : exit.ok;
}

/** All arguments as one object, if they are given so. */
async function wholeOf(run: Run, { words, whole }: Call): Promise<Record<string, unknown> | undefined> {
  if (whole !== undefined && words.length > 0) {
    throw new UsageError('--args gives all arguments, so key=value cannot be added', 'use one of the two');
  }
  if (words.includes('-') && words.length > 1) {
    throw new UsageError(
      '- takes all arguments from standard input, so key=value cannot be added',
      'use one of the two',
    );
  }
  if (whole === '-' || words[0] === '-') return parseWhole(await readStdin(run), 'standard input');
  return whole === undefined ? undefined : parseWhole(whole, '--args');
}
