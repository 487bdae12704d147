import { clip, oneLine, visible } from '../text.ts';
import { exampleOf, problemOf, readTyped, shownValue, wanted } from './check.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import type { Choice, Questions } from './questions.ts';

/** What a server asks a person to fill in. */
export interface FormRequest {
  readonly message: string;
  readonly schema: unknown;
}

/** What the person did with it. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, unknown> }
  | { readonly action: 'decline' | 'cancel' };

/** Answers by the name of their field; a field without one is left out. */
export type Values = Map<string, unknown>;

const mostLines = 40;

/**
 * Shows who asks and for what, asks field by field, shows the answers and sends nothing before the person says so.
 * Leaving a field offers to decline or to cancel (MCP 2026-07-28, client/elicitation "User Interaction").
 *
 * @param given answers that are there already: they stand in the fields to begin with
 * @param who the server as it may be shown
 */
export async function askForm(
  questions: Questions,
  request: FormRequest,
  who: string,
  given: Values = new Map(),
): Promise<FormAnswer> {
  const fields = fieldsOf(request.schema);
  questions.say(heading(who, request.message, fields));
  const values: Values = new Map(given);
  let todo: readonly Field[] = fields;
  for (;;) {
    const left = await askFields(questions, todo, values);
    if (left !== undefined) return { action: left };
    const next = await review(questions, fields, values);
    if (next === 'send') return { action: 'accept', content: contentOf(fields, values) };
    if (next === 'decline' || next === 'cancel') return { action: next };
    todo = [next];
  }
}

/** The answers as the object that is sent, in the order of the form. */
export function contentOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  // From entries, not by assignments: a field may be called `__proto__`.
  return Object.fromEntries(
    fields.map(({ name }) => [name, values.get(name)]).filter(([, value]) => value !== undefined),
  );
}

function heading(who: string, message: string, fields: readonly Field[]): string {
  const lines = visible(message.trim()).split('\n');
  const shown = lines.slice(0, mostLines).map((line) => clip(line, 500));
  if (lines.length > mostLines) shown.push(`… ${lines.length - mostLines} more lines`);
  const secrets = fields.filter((field) => field.secret).map((field) => field.label);
  return [
    `${who} asks:`,
    ...shown.map((line) => `  ${line}`),
    ...(secrets.length === 0
      ? []
      : [
          `Warning: it asks for what looks like a secret (${clip(secrets.join(', '), 200)}).`,
          '  A server must not ask for passwords, tokens or keys in a form. Decline if in doubt.',
        ]),
    'Nothing is sent before you have seen it. Escape: decline or cancel.',
  ].join('\n');
}

/** Asks fields one after the other; the way out if the person takes one. */
async function askFields(
  questions: Questions,
  fields: readonly Field[],
  values: Values,
): Promise<'decline' | 'cancel' | undefined> {
  let index = 0;
  while (index < fields.length) {
    const field = fields[index];
    if (field === undefined) break;
    if (await askField(questions, field, values)) {
      index++;
      continue;
    }
    const out = await questions.choose<'back' | 'decline' | 'cancel'>({
      message: 'Leave the form?',
      choices: [{ value: 'back', label: 'Go back to it' }, ...waysOut],
    });
    if (out !== 'back') return out ?? 'cancel';
  }
  return undefined;
}

const waysOut: readonly Choice<'decline' | 'cancel'>[] = [
  { value: 'decline', label: 'Decline: tell the server that you say no' },
  { value: 'cancel', label: 'Cancel: tell the server that you gave no answer' },
];

/** Asks one field and keeps its answer; false when the person left it. */
async function askField(questions: Questions, field: Field, values: Values): Promise<boolean> {
  const { kind } = field;
  const before = values.has(field.name) ? values.get(field.name) : field.fallback;
  const keep = (value: unknown): boolean => {
    if (value === undefined) values.delete(field.name);
    else values.set(field.name, value);
    return true;
  };
  const message = messageOf(field);
  if (kind.is === 'one' || kind.is === 'yes-no') {
    const all: readonly Choice<unknown>[] = kind.is === 'one' ? kind.choices : yesOrNo;
    const choices = mustHave(field) ? all : [...all, { value: leaveOut, label: '(leave it out)' }];
    const initial = before ?? (mustHave(field) ? undefined : leaveOut);
    const chosen = await questions.choose<unknown>({ message, choices, initial });
    return chosen !== undefined && keep(chosen === leaveOut ? undefined : chosen);
  }
  if (kind.is === 'some') {
    const chosen = await questions.chooseSome({
      message,
      choices: kind.choices,
      initial: Array.isArray(before) ? before.filter((item) => typeof item === 'string') : undefined,
      check: (items) => (items.length === 0 && !mustHave(field) ? undefined : problemOf(kind, items)),
    });
    return chosen !== undefined && keep(chosen.length === 0 && !mustHave(field) ? undefined : [...chosen]);
  }
  const check = (typed: string): string | undefined => {
    const read = readTyped(field, typed);
    return 'wrong' in read ? read.wrong : undefined;
  };
  const typed = field.secret
    ? // What stands in a hidden field cannot be seen: nothing does, and nothing typed means what was there.
      await questions.secret({
        message,
        check: (text) => (text === '' && before !== undefined ? undefined : check(text)),
      })
    : await questions.text({ message, initial: initialText(before), example: exampleOf(kind), check });
  if (typed === undefined) return false;
  if (field.secret && typed === '' && before !== undefined) return keep(before);
  const read = readTyped(field, typed);
  return keep('value' in read ? read.value : field.fallback);
}

/** Whether a field is sent in any case: one that is left out gets its default. */
function mustHave(field: Field): boolean {
  return field.required || field.fallback !== undefined;
}

const leaveOut = Symbol('leave out');
const yesOrNo: readonly Choice<unknown>[] = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
];

function initialText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function messageOf(field: Field): string {
  const facts = [
    ...(field.kind.is === 'one' || field.kind.is === 'some' || field.kind.is === 'yes-no' ? [] : [wanted(field.kind)]),
    ...(field.required ? [] : ['optional']),
    ...(field.secret ? ['hidden'] : []),
  ].filter((fact) => fact !== 'text');
  const about = field.description === undefined ? '' : `: ${field.description}`;
  return `${field.label}${about}${facts.length === 0 ? '' : ` [${facts.join('; ')}]`}`;
}

/** Shows all answers; what to do with them, or which field to ask again. */
async function review(
  questions: Questions,
  fields: readonly Field[],
  values: Values,
): Promise<'send' | 'decline' | 'cancel' | Field> {
  const lines = fields.map((field) => `  ${field.label}: ${shownValue(field, values.get(field.name))}`);
  questions.say(lines.length === 0 ? 'There is nothing to fill in.' : ['Your answers:', ...lines].join('\n'));
  const next = await questions.choose<'send' | 'change' | 'decline' | 'cancel'>({
    message: 'Send this to the server?',
    choices: [
      { value: 'send', label: lines.length === 0 ? 'Accept' : 'Send' },
      ...(lines.length === 0 ? [] : [{ value: 'change' as const, label: 'Change an answer' }]),
      ...waysOut,
    ],
  });
  if (next !== 'change') return next ?? 'cancel';
  const field =
    fields.length === 1
      ? fields[0]
      : await questions.choose<Field>({
          message: 'Which one?',
          choices: fields.map((one) => ({ value: one, label: one.label })),
        });
  return field ?? review(questions, fields, values);
}
