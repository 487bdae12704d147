import { isObject } from '../schema.ts';
import { clip, oneLine } from '../text.ts';
import type { Choice } from './questions.ts';

/** What a field takes, with the bounds its schema sets. */
export type Kind =
  | { readonly is: 'text'; readonly minLength?: number; readonly maxLength?: number; readonly format?: string }
  | { readonly is: 'number'; readonly whole: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly is: 'yes-no' }
  | { readonly is: 'one'; readonly choices: readonly Choice<string>[] }
  | {
      readonly is: 'some';
      readonly choices: readonly Choice<string>[];
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  /** What no form should ask for: the answer is written as JSON. */
  | { readonly is: 'json' };

/** One field of a form. */
export interface Field {
  readonly name: string;
  /** The title, or the name; safe to print, one line. */
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly kind: Kind;
  /** The default, if it is of the field's kind. */
  readonly fallback: unknown;
  /** Whether it asks for what no server may ask for in a form: a password, a token, a key. */
  readonly secret: boolean;
}

/**
 * The fields of a `requestedSchema`, in its order (MCP 2026-07-28, client/elicitation "Requested Schema"; the older
 * `enumNames` are read as well).
 */
export function fieldsOf(schema: unknown): Field[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, required.includes(name)),
  );
}

function fieldOf(name: string, property: Record<string, unknown>, required: boolean): Field {
  const kind = kindOf(property);
  const title = text(property['title']);
  const description = text(property['description']);
  return {
    name,
    label: clip(oneLine(title ?? name), 80) || '(no name)',
    description: description === undefined ? undefined : clip(oneLine(description), 300),
    required,
    kind,
    fallback: fits(property['default'], kind) ? property['default'] : undefined,
    secret: asksForSecret(kind, name, title, property['format']),
  };
}

function kindOf(property: Record<string, unknown>): Kind {
  const single = choicesOf(property);
  if (single !== undefined) return { is: 'one', choices: single };
  switch (property['type']) {
    case 'string':
      return {
        is: 'text',
        ...number(property, 'minLength'),
        ...number(property, 'maxLength'),
        ...(typeof property['format'] === 'string' ? { format: property['format'] } : {}),
      };
    case 'number':
    case 'integer':
      return {
        is: 'number',
        whole: property['type'] === 'integer',
        ...number(property, 'minimum'),
        ...number(property, 'maximum'),
      };
    case 'boolean':
      return { is: 'yes-no' };
    case 'array': {
      const choices = choicesOf(isObject(property['items']) ? property['items'] : {});
      if (choices === undefined) return { is: 'json' };
      return { is: 'some', choices, ...number(property, 'minItems'), ...number(property, 'maxItems') };
    }
    default:
      return { is: 'json' };
  }
}

/** The values of `enum` (with `enumNames`), `oneOf` or `anyOf`; undefined when there are none, or not only texts. */
function choicesOf(property: Record<string, unknown>): Choice<string>[] | undefined {
  const { enum: values, enumNames: names, oneOf, anyOf } = property;
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  const pairs: [unknown, unknown][] = Array.isArray(values)
    ? values.map((value, index) => [value, Array.isArray(names) ? names[index] : undefined])
    : Array.isArray(titled)
      ? titled.map((choice) => (isObject(choice) ? [choice['const'], choice['title']] : [undefined, undefined]))
      : [];
  if (pairs.length === 0) return undefined;
  const choices: Choice<string>[] = [];
  for (const [value, title] of pairs) {
    if (typeof value !== 'string') return undefined;
    choices.push({ value, label: clip(oneLine(text(title) ?? value), 80) || '(empty)' });
  }
  return choices;
}

/** Whether a value is of a field's kind; its bounds are not looked at. */
function fits(value: unknown, kind: Kind): boolean {
  switch (kind.is) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && (!kind.whole || Number.isInteger(value));
    case 'yes-no':
      return typeof value === 'boolean';
    case 'one':
      return kind.choices.some((choice) => choice.value === value);
    case 'some':
      return Array.isArray(value) && value.every((item) => kind.choices.some((choice) => choice.value === item));
    case 'json':
      return value !== undefined;
  }
}

const secretWords =
  /pass ?(word|phrase|code|wd)|secret|token|credential|(private|access|signing|encryption|license) key|\b(api)? ?key\b/i;
const secretNumbers = /\b(pin|cvc|cvv|otp)\b|card number/i;

/** By name, title and format: a server that asks for one in a form breaks a MUST NOT. */
function asksForSecret(kind: Kind, name: string, title: string | undefined, format: unknown): boolean {
  if (kind.is !== 'text' && kind.is !== 'number' && kind.is !== 'json') return false;
  if (format === 'password') return true;
  // `apiKey` and `api_key` are two words each.
  const plain = (words: string) => words.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').replaceAll(/[\s_.-]+/g, ' ');
  const words = `${plain(name)} / ${plain(title ?? '')}`;
  // A number of tokens is no token.
  return secretNumbers.test(words) || (kind.is !== 'number' && secretWords.test(words));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function number<Name extends string>(from: Record<string, unknown>, name: Name): { [N in Name]?: number } {
  const value = from[name];
  // The key is the literal that was handed in.
  return (typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : {}) as { [N in Name]?: number };
}
