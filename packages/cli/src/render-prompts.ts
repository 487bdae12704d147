import type { Prompt, PromptMessage } from 'hawser';
import type { Style } from './output.ts';
import { aboutLines, firstLine, pad, renderResult, widest } from './render.ts';
import { oneLine } from './text.ts';

/** The list that `prompts` prints. */
export function renderPrompts(prompts: readonly Prompt[], style: Style): string {
  if (prompts.length === 0) return 'The server offers no prompts.';
  return prompts.map((prompt) => renderOne(prompt, style)).join('\n\n');
}

function renderOne({ name, title, description, arguments: args = [] }: Prompt, style: Style): string {
  const { paint } = style;
  const head = paint.bold(paint.cyan(oneLine(name)));
  const lines = [title === undefined || title === name ? head : `${head}  ${oneLine(title)}`];
  lines.push(...aboutLines(description, style));
  const width = widest(args.map((argument) => oneLine(argument.name)));
  for (const argument of args) {
    const mark = argument.required === true ? 'required' : paint.dim('optional');
    const text = firstLine(argument.description ?? argument.title ?? '');
    const padded = paint.bold(pad(oneLine(argument.name), width));
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
