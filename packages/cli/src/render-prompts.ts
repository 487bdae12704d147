import type { Prompt, PromptMessage } from 'hawser';
import type { Style } from './output.ts';
import { firstLine, renderResult } from './render.ts';
import { columns, oneLine, wrap } from './text.ts';

/** The list that `prompts` prints. */
export function renderPrompts(prompts: readonly Prompt[], style: Style): string {
  if (prompts.length === 0) return 'The server offers no prompts.';
  return prompts.map((prompt) => renderOne(prompt, style)).join('\n\n');
}

function renderOne({ name, title, description, arguments: args = [] }: Prompt, style: Style): string {
  const { paint } = style;
  const head = paint.bold(paint.cyan(oneLine(name)));
  const lines = [title === undefined || title === name ? head : `${head}  ${oneLine(title)}`];
  const about = firstLine(description ?? '');
  if (about !== '') lines.push(...wrap(about, Math.min(style.width, 100) - 2).map((line) => `  ${line}`));
  const width = Math.max(0, ...args.map((argument) => columns(oneLine(argument.name))));
  for (const argument of args) {
    const plain = oneLine(argument.name);
    const mark = argument.required === true ? 'required' : paint.dim('optional');
    const text = firstLine(argument.description ?? argument.title ?? '');
    const padded = paint.bold(plain + ' '.repeat(width - columns(plain)));
    lines.push(`    ${padded}  ${mark}${text === '' ? '' : `  ${text}`}`);
  }
  return lines.join('\n');
}

/** The messages that `prompt` prints, each under the role that speaks. */
export function renderPrompt(
  { description, messages }: { readonly description: string | undefined; readonly messages: readonly PromptMessage[] },
  style: Style,
): string {
  const { paint } = style;
  const parts = messages.map(
    ({ role, content }) => `${paint.bold(oneLine(role))}\n${renderResult([content], undefined, style)}`,
  );
  if (description !== undefined && description.trim() !== '') parts.unshift(paint.dim(oneLine(description)));
  return parts.length === 0 ? paint.dim('[the prompt is empty]') : parts.join('\n\n');
}
