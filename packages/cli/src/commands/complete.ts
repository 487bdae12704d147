import type { CompletionReference } from 'hawser';
import { exit } from '../errors.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { count, oneLine, printableJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { textArguments } from './arguments.ts';

/** What is to be completed, as the command line gives it. */
export interface Completing {
  /** `prompt:name`, or the template of a resource. */
  readonly of: string | undefined;
  readonly argument: string | undefined;
  /** What is typed so far. */
  readonly value: string | undefined;
  /** `--context`: `key=value` of the other arguments. */
  readonly context: readonly string[];
}

/** `hawser complete`: asks the server how the value of an argument may go on. */
export async function complete(run: Run, { of, argument, value = '', context }: Completing): Promise<number> {
  if (of === undefined || argument === undefined) {
    throw new UsageError(
      of === undefined ? 'nothing to complete is named' : 'no argument is named',
      "for example: hawser complete <url> prompt:review language py, or … 'file:///{path}' path src/",
    );
  }
  const given = textArguments(
    context,
    context.map((word) => word.split(/:?=/)[0] ?? ''),
  );
  const { stdout, stderr, options } = run;
  const completion = await withSession(run, ({ client, request }) =>
    client.complete(reference(of), { name: argument, value }, { ...request, context: given }),
  );
  if (options.json) {
    stdout.line(printableJson(completion));
    return exit.ok;
  }
  for (const suggestion of completion.values) stdout.line(oneLine(suggestion));
  const { total, hasMore, values } = completion;
  const more = total !== undefined && total > values.length ? `${count(total, 'value')} in all` : undefined;
  if (more !== undefined || hasMore === true) stderr.line(stderr.style.paint.dim(more ?? 'there are more'));
  if (values.length === 0) stderr.line(stderr.style.paint.dim('no suggestions'));
  return exit.ok;
}

function reference(of: string): CompletionReference {
  if (of.startsWith('prompt:')) return { type: 'ref/prompt', name: of.slice('prompt:'.length) };
  if (/^[a-z][a-z0-9+.-]*:|\{/i.test(of)) return { type: 'ref/resource', uri: of };
  throw new UsageError(
    `"${oneLine(of)}" is neither a prompt nor a template`,
    `write prompt:${oneLine(of)}, or the template of a resource, such as 'file:///{path}'`,
  );
}
