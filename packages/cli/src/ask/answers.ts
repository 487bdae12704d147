import { parseArguments } from '../args.ts';
import type { ReadFile } from '../args.ts';
import { clip, oneLine, short } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { problemOf, wanted } from './check.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import type { Values } from './form.ts';
import { UnansweredError } from './unanswered-error.ts';

/** What `--answer` gives for one form. */
export interface Given {
  /** The answers to its fields. */
  readonly values: Values;
  /** Required fields that have neither an answer nor a default. */
  readonly missing: readonly Field[];
}

/**
 * Picks the answers for a form out of all `--answer` words: `field=value` or `field:=json`, as arguments of a tool.
 *
 * @throws UsageError that names the field when an answer does not fit
 */
export function answersFor(schema: unknown, words: readonly string[], readFile: ReadFile): Given {
  const all = parseArguments(words, schema, readFile);
  const values: Values = new Map();
  const missing: Field[] = [];
  for (const field of fieldsOf(schema)) {
    if (Object.hasOwn(all, field.name)) {
      const value = all[field.name];
      const problem = problemOf(field.kind, value);
      if (problem !== undefined) {
        throw new UsageError(
          `--answer ${name(field)}: ${problem}`,
          `the server wants ${wanted(field.kind)}; write --answer ${example(field)}`,
        );
      }
      values.set(field.name, value);
    } else if (field.required && field.fallback === undefined) missing.push(field);
  }
  return { values, missing };
}

/** The answers of a form that nobody is asked about: what is given, and the defaults. */
export function filledUnasked(schema: unknown, { values }: Given): Values {
  const filled: Values = new Map(values);
  for (const { name: field, fallback } of fieldsOf(schema)) {
    if (fallback !== undefined && !filled.has(field)) filled.set(field, fallback);
  }
  return filled;
}

/** A form came, there is no terminal, and `--answer` does not say enough. */
export function unanswered(message: string, schema: unknown, { values, missing }: Given): UnansweredError {
  const asked = `the server asks "${clip(oneLine(message), 160)}"`;
  const fields = missing.length > 0 ? missing : fieldsOf(schema);
  const examples = clip(fields.map((field) => `--answer ${example(field)}`).join(' '), 240);
  if (fields.length === 0) {
    return new UnansweredError(`${asked}, and there is no terminal to answer at`, 'run it in a terminal');
  }
  return values.size > 0
    ? new UnansweredError(`${asked}, and the answers do not say: ${fields.map(name).join(', ')}`, `add ${examples}`)
    : new UnansweredError(`${asked}, and there is no terminal to answer at`, `give the answers: ${examples}`);
}

function name(field: Field): string {
  return short(field.name);
}

function example(field: Field): string {
  const { kind } = field;
  const written = name(field).replaceAll('.', '\\.');
  switch (kind.is) {
    case 'number':
      return `${written}=${kind.minimum ?? 1}`;
    case 'yes-no':
      return `${written}=true`;
    case 'one':
      return `${written}='${oneLine(kind.choices[0]?.value ?? '')}'`;
    case 'some':
      return `${written}='${oneLine(JSON.stringify(kind.choices.slice(0, 1).map(({ value }) => value)))}'`;
    case 'json':
      return `${written}:='…'`;
    case 'text':
      return `${written}='…'`;
  }
}
