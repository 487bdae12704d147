import { clip, count, oneLine, printableJson } from '../text.ts';
import type { Field, Kind } from './fields.ts';

/** What became of a text that was typed: a value, nothing (the field is left out), or what is wrong with it. */
export type Typed = { readonly value: unknown } | { readonly left: true } | { readonly wrong: string };

/** Reads what was typed into a field of text, a number or JSON. */
export function readTyped(field: Field, typed: string): Typed {
  if (typed === '' && !(field.kind.is === 'text' && field.fallback === '')) {
    return field.required ? { wrong: 'this has to be filled in' } : { left: true };
  }
  const value = valueOf(field.kind, typed);
  const wrong = value === undefined ? `write ${wanted(field.kind)}` : problemOf(field.kind, value);
  return wrong === undefined ? { value } : { wrong };
}

function valueOf(kind: Kind, typed: string): unknown {
  if (kind.is === 'text') return typed;
  if (kind.is === 'number') {
    return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(typed) ? Number(typed) : undefined;
  }
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return undefined;
  }
}

/** What is wrong with a value for a kind of field; undefined if nothing is. */
export function problemOf(kind: Kind, value: unknown): string | undefined {
  switch (kind.is) {
    case 'text':
      return typeof value === 'string' ? problemOfText(kind, value) : `wants ${wanted(kind)}`;
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return `wants ${wanted(kind)}`;
      if (kind.whole && !Number.isSafeInteger(value)) return 'wants a whole number';
      if (kind.minimum !== undefined && value < kind.minimum) return `at least ${kind.minimum}`;
      if (kind.maximum !== undefined && value > kind.maximum) return `at most ${kind.maximum}`;
      return undefined;
    }
    case 'yes-no':
      return typeof value === 'boolean' ? undefined : 'wants true or false';
    case 'one':
      return kind.choices.some((choice) => choice.value === value) ? undefined : `is one of ${named(kind)}`;
    case 'some': {
      if (!Array.isArray(value)) return 'wants a list';
      if (!value.every((item) => kind.choices.some((choice) => choice.value === item))) {
        return `takes only ${named(kind)}`;
      }
      const { minItems, maxItems } = kind;
      if (minItems !== undefined && value.length < minItems) return `at least ${count(minItems, 'choice')}`;
      if (maxItems !== undefined && value.length > maxItems) return `at most ${count(maxItems, 'choice')}`;
      return undefined;
    }
    case 'json':
      return undefined;
  }
}

function problemOfText(kind: Kind & { is: 'text' }, text: string): string | undefined {
  const length = Array.from(text).length;
  if (kind.minLength !== undefined && length < kind.minLength) return `at least ${count(kind.minLength, 'character')}`;
  if (kind.maxLength !== undefined && length > kind.maxLength) return `at most ${count(kind.maxLength, 'character')}`;
  const format = formats[kind.format ?? ''];
  return format === undefined || format.test(text) ? undefined : `write ${format.name}, like ${format.example}`;
}

interface Format {
  readonly name: string;
  readonly example: string;
  readonly test: (text: string) => boolean;
}

/** The formats that forms have (2025-06-18 and later). */
const formats: Readonly<Record<string, Format>> = {
  email: {
    name: 'an e-mail address',
    example: 'ada@example.com',
    test: (text) => text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text),
  },
  uri: {
    name: 'an address',
    example: 'https://example.com/page',
    test: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text),
  },
  date: { name: 'a date', example: '2026-01-31', test: isDate },
  'date-time': {
    name: 'a date and time',
    example: '2026-01-31T09:30:00Z',
    test: (text) => {
      const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
      if (match === null) return false;
      return isDate(match[1] ?? '') && Number(match[2]) < 24 && Number(match[3]) < 60 && Number(match[4]) <= 60;
    },
  },
};

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // A day too many, such as 31 April, becomes the next month.
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(match[3]);
}

/** An example of what a field takes, for where nothing is typed yet. */
export function exampleOf(kind: Kind): string | undefined {
  if (kind.is === 'text') return formats[kind.format ?? '']?.example;
  return kind.is === 'json' ? '{"a": 1}' : undefined;
}

/** What a kind of field takes, in words: `a whole number, 1 to 10`. */
export function wanted(kind: Kind): string {
  switch (kind.is) {
    case 'text':
      return [formats[kind.format ?? '']?.name ?? 'text', between(kind.minLength, kind.maxLength, ' characters')]
        .filter((part) => part !== '')
        .join(', ');
    case 'number':
      return [kind.whole ? 'a whole number' : 'a number', between(kind.minimum, kind.maximum, '')]
        .filter((part) => part !== '')
        .join(', ');
    case 'yes-no':
      return 'yes or no';
    case 'one':
      return `one of ${named(kind)}`;
    case 'some':
      return ['some', between(kind.minItems, kind.maxItems, ''), `of ${named(kind)}`]
        .filter((part) => part !== '')
        .join(' ');
    case 'json':
      return 'JSON';
  }
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

function named(kind: Kind & { is: 'one' | 'some' }): string {
  return clip(kind.choices.map(({ value }) => oneLine(printableJson(value))).join(', '), 120);
}

/** An answer as it is shown before it is sent. */
export function shownValue(field: Field, value: unknown): string {
  if (value === undefined) return '(left out)';
  if (field.secret) return '[hidden]';
  const { kind } = field;
  if (kind.is === 'yes-no') return value === true ? 'yes' : 'no';
  if (kind.is === 'one') return labelOf(kind, value);
  if (kind.is === 'some' && Array.isArray(value)) {
    return value.length === 0 ? '(none)' : value.map((item) => labelOf(kind, item)).join(', ');
  }
  return clip(oneLine(typeof value === 'string' ? value : printableJson(value, 0)), 200);
}

function labelOf(kind: Kind & { is: 'one' | 'some' }, value: unknown): string {
  return kind.choices.find((choice) => choice.value === value)?.label ?? oneLine(printableJson(value));
}
