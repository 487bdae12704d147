import type { Tool } from 'hawser';
import type { Style } from './output.ts';
import { isObject, parametersOf } from './schema.ts';
import type { Parameter } from './schema.ts';
import { clip, columns, count, oneLine, printableJson, size, visible, wrap } from './text.ts';

/** What `discover` found out. */
export interface Discovery {
  readonly server: { name: string; version: string; title?: string | undefined } | undefined;
  readonly protocolVersion: string;
  readonly era: 'modern' | 'legacy';
  /** All revisions the server says it speaks, if it said so. */
  readonly supportedVersions: readonly string[] | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
  /** How it was found out, one step after the other. */
  readonly steps: readonly string[];
}

const instructionLines = 6;

/** The page that `discover` prints. */
export function renderDiscovery(found: Discovery, style: Style): string {
  const { paint } = style;
  const rows: [string, string[]][] = [];
  const server = found.server;
  const title = server?.title !== undefined && server.title !== server.name ? ` (${oneLine(server.title)})` : '';
  rows.push([
    'server',
    [server === undefined ? 'gives no name' : `${paint.bold(oneLine(server.name))} ${oneLine(server.version)}${title}`],
  ]);
  rows.push(['protocol', [`${found.protocolVersion} (${found.era})`]]);
  if (found.supportedVersions !== undefined) {
    rows.push(['speaks', [oneLine(found.supportedVersions.join(', '))]]);
  }
  rows.push(['offers', capabilityLines(found.capabilities)]);
  rows.push(['found by', found.steps.map(oneLine)]);
  if (found.instructions !== undefined && found.instructions.trim() !== '') {
    rows.push(['advice', shortened(found.instructions, style.width - labelWidth)]);
  }
  return rows.map(([label, lines]) => row(label, lines, style)).join('\n');
}

const labelWidth = 10;

function row(label: string, lines: readonly string[], { paint }: Style): string {
  return lines
    .map((line, index) => `${paint.dim((index === 0 ? label : '').padEnd(labelWidth))}${line}`.trimEnd())
    .join('\n');
}

function shortened(text: string, width: number): string[] {
  const lines = visible(text.trim())
    .split('\n')
    .flatMap((line) => wrap(line, Math.min(width, 100)));
  const left = lines.length - instructionLines;
  return left <= 1 ? lines : [...lines.slice(0, instructionLines), `… ${left} more lines (--json shows all)`];
}

/** One line per capability: its name, and which of its parts are on. */
export function capabilityLines(capabilities: Readonly<Record<string, unknown>>): string[] {
  const lines = Object.entries(capabilities).map(([name, value]) => {
    const parts = isObject(value)
      ? Object.entries(value)
          .filter(([, part]) => part !== false)
          .map(([part]) => oneLine(part))
      : [];
    return parts.length === 0 ? oneLine(name) : `${oneLine(name)} (${parts.join(', ')})`;
  });
  return lines.length === 0 ? ['nothing'] : lines;
}

/** The list that `tools` prints. */
export function renderTools(tools: readonly Tool[], style: Style): string {
  if (tools.length === 0) return 'The server offers no tools.';
  return tools.map((tool) => renderTool(tool, style)).join('\n\n');
}

function renderTool(tool: Tool, style: Style): string {
  const { paint } = style;
  const title = tool.title ?? tool.annotations?.title;
  const lines = [
    [
      paint.bold(paint.cyan(oneLine(tool.name))),
      ...(title === undefined || title === tool.name ? [] : [oneLine(title)]),
      ...hints(tool).map((hint) => paint.yellow(`[${hint}]`)),
    ].join('  '),
  ];
  lines.push(...aboutLines(tool.description, style));
  const parameters = parametersOf(tool.inputSchema);
  const nameWidth = widest(parameters.map((p) => oneLine(p.name)));
  const typeWidth = widest(parameters.map((p) => clip(oneLine(p.type), longestType)));
  for (const parameter of parameters) lines.push(...parameterLines(parameter, nameWidth, typeWidth, style));
  return lines.join('\n');
}

const longestType = 40;

function parameterLines(parameter: Parameter, nameWidth: number, typeWidth: number, style: Style): string[] {
  const { paint } = style;
  const name = oneLine(parameter.name);
  const type = clip(oneLine(parameter.type), longestType);
  const mark = parameter.required ? 'required' : 'optional';
  const head = `    ${pad(name, nameWidth)}  ${pad(type, typeWidth)}  ${mark}`;
  const fallback = parameter.fallback === undefined ? '' : `(default ${clip(oneLine(parameter.fallback), 40)})`;
  const about = [firstLine(parameter.description ?? ''), fallback].filter((part) => part !== '').join(' ');
  const indent = columns(head) + 2;
  // A narrow terminal breaks the line itself: better than a column two words wide.
  const texts = about === '' ? [] : wrap(about, Math.max(style.width - indent, 30));
  const painted = `    ${paint.bold(pad(name, nameWidth))}  ${paint.dim(pad(type, typeWidth))}  ${
    parameter.required ? mark : paint.dim(mark)
  }`;
  const [first, ...more] = texts;
  return [first === undefined ? painted : `${painted}  ${first}`, ...more.map((text) => ' '.repeat(indent) + text)];
}

function hints(tool: Tool): string[] {
  const annotations = tool.annotations;
  if (annotations?.readOnlyHint === true) return ['read-only'];
  return annotations?.destructiveHint === true ? ['destructive'] : [];
}

/** The first line of a text, and an ellipsis if more follow. */
export function firstLine(text: string): string {
  const [first = '', ...more] = text.trim().split(/\r?\n/);
  return more.some((line) => line.trim() !== '') ? `${oneLine(first)} …` : oneLine(first);
}

/** What is said of something, under its name; nothing where that is no text: servers send what they like. */
export function aboutLines(description: unknown, { width }: Style): string[] {
  const about = typeof description === 'string' ? firstLine(description) : '';
  return about === '' ? [] : wrap(about, Math.min(width, 100) - 2).map((line) => `  ${line}`);
}

/** The text with blanks up to a number of columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** The columns of the widest text. */
export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(columns));
}

/** What `call` prints: texts as they are, other blocks as one line each, structured content when there is no text. */
export function renderResult(content: readonly unknown[], structured: unknown, { paint }: Style): string {
  const parts = content.map((block) =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? visible(block['text'])
      : paint.dim(`[${describeBlock(block)}]`),
  );
  const hasText = content.some((block) => isObject(block) && block['type'] === 'text' && block['text'] !== '');
  if (structured !== undefined && !hasText) parts.push(printableJson(structured));
  return parts.length === 0 ? paint.dim('[the result is empty]') : parts.join('\n');
}

/** A block that is not text, in one line: type, name or address, media type and size. */
export function describeBlock(block: unknown): string {
  if (!isObject(block)) return 'unknown content';
  const facts: string[] = [];
  const say = (value: unknown) => {
    if (typeof value === 'string' && value !== '') facts.push(clip(oneLine(value), 200));
  };
  const type = typeof block['type'] === 'string' ? clip(oneLine(block['type']), 40) : 'unknown content';
  const inner = block['type'] === 'resource' && isObject(block['resource']) ? block['resource'] : block;
  say(inner['name']);
  say(inner['uri']);
  say(inner['mimeType']);
  if (typeof inner['text'] === 'string') facts.push(count(Array.from(inner['text']).length, 'character'));
  const base64 = inner['data'] ?? inner['blob'];
  if (typeof base64 === 'string') facts.push(size(decodedBytes(base64)));
  else if (typeof inner['size'] === 'number') facts.push(size(inner['size']));
  return [type, ...facts].join(', ');
}

function decodedBytes(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

/** Live progress in one line. */
export function progressLine(progress: { progress: number; total?: number; message?: string }, width: number): string {
  const { progress: done, total, message } = progress;
  const share = total !== undefined && total > 0 ? ` (${Math.floor((100 * done) / total)} %)` : '';
  const amount = total === undefined ? `${done}` : `${done} of ${total}${share}`;
  return clip(message === undefined ? amount : `${amount}  ${oneLine(message)}`, width - 1);
}
