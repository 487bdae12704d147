/** A schema of an author as a form: a flat object of text, numbers, booleans and choices (client/elicitation). */
import { ArgumentError } from '../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { JsonSchema } from '../../../model/types.ts';
import { characters } from '../../../schema/text.ts';

/** What a form asks for. */
export interface Form {
  /** As it is sent: only with the keywords that forms have. What else the schema says is checked here. */
  readonly schema: JsonSchema;
  /** What a member is when it was left out. */
  readonly defaults: JsonObject;
  /** Several choices at a time occur, which not all revisions have. */
  readonly severalChoices: boolean;
  /** Some text has to be an address, a date and the like. */
  readonly hasFormats: boolean;
  /** Names of members that look like a secret, which must not be asked for by a form. */
  readonly secrets: readonly string[];
}

const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);
const shown = ['title', 'description'];
const secret =
  /pass(?:word|phrase|wd)|\bpwd\b|secret|\btoken\b|api[-_ ]?key|private[-_ ]?key|credential|\bcvv\b|card[-_ ]?number/i;
/** Alone, or of a person or a card; a pin that is shipped or on a map is none. */
const pin = /^pin$|\b(?:your|my|user|card|bank|account|sim|login|security) pin\b|\bpin (?:code|number)\b/i;

/** @throws ArgumentError when the schema is no form, naming the member */
export function formOf(schema: JsonSchema): Form {
  const { type, properties, required } = schema;
  if (type !== 'object') throw new ArgumentError('a form is a schema of an object (type: "object")');
  if (properties !== undefined && !isObject(properties))
    throw new ArgumentError('the properties of a form are an object');
  for (const keyword of ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'])
    if (schema[keyword] !== undefined) throw new ArgumentError(`a form cannot have ${keyword}: it is a flat object`);
  const fields = Object.entries(properties ?? {}).map(([name, property]) => [name, fieldOf(name, property)] as const);
  const names: readonly unknown[] = fields.map(([name]) => name);
  const ghost: unknown = Array.isArray(required) ? required.find((name) => !names.includes(name)) : undefined;
  if (ghost !== undefined) throw new ArgumentError(`a form requires ${JSON.stringify(ghost)} and does not ask for it`);
  return {
    schema: {
      ...picked(schema, shown),
      type: 'object',
      properties: Object.fromEntries(fields),
      ...(Array.isArray(required) && required.length > 0 && { required }),
    },
    defaults: Object.fromEntries(
      fields.filter(([, field]) => field['default'] !== undefined).map(([name, field]) => [name, field['default']]),
    ),
    severalChoices: fields.some(([, field]) => field['type'] === 'array'),
    hasFormats: fields.some(([, field]) => field['format'] !== undefined),
    secrets: fields
      .filter(([name, { type, title }]) =>
        [spaced(name), title].some(
          (text) => typeof text === 'string' && ((type === 'string' && secret.test(text)) || pin.test(text)),
        ),
      )
      .map(([name]) => name),
  };
}

/** `apiKey` and `user_pin` as words. */
function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}

function fieldOf(name: string, property: unknown): JsonObject {
  const wrong = (problem: string): ArgumentError => new ArgumentError(`a form cannot ask for "${name}": ${problem}`);
  if (!isObject(property)) throw wrong('it needs a schema of its own');
  const field = shownOf(property, wrong);
  if (field['default'] !== undefined && !takes(field, field['default'])) throw wrong('its default does not fit');
  return field;
}

/** The schema of a member as it is sent. */
function shownOf(property: JsonObject, wrong: (problem: string) => ArgumentError): JsonObject {
  const choices = choicesOf(property);
  if (choices !== undefined) return { ...picked(property, [...shown, 'default']), type: 'string', ...choices };
  switch (property['type']) {
    case 'string': {
      const format = formats.has(property['format']) ? ['format'] : [];
      return picked(property, [...shown, 'type', 'minLength', 'maxLength', ...format, 'default']);
    }
    case 'number':
    case 'integer':
      return { ...picked(property, [...shown, 'type', 'default']), ...rangeOf(property) };
    case 'boolean':
      return picked(property, [...shown, 'type', 'default']);
    case 'array': {
      const items = isObject(property['items']) ? choicesOf(property['items']) : undefined;
      if (items === undefined) throw wrong('a list has to be one of choices: items with an enum of texts');
      const oneOf = items['oneOf'] ?? titledBy(items);
      return {
        ...picked(property, [...shown, 'type', 'minItems', 'maxItems', 'default']),
        items: oneOf === undefined ? { type: 'string', ...items } : { anyOf: oneOf },
      };
    }
    case 'object':
      throw wrong('forms are flat, it is an object');
    default:
      throw wrong('it has to be a text, a number, a boolean or a choice of texts');
  }
}

/** Whether a value is one that a person could have given. Formats and patterns are looked at when it comes back. */
function takes(field: JsonObject, value: unknown): boolean {
  const { type, minLength = 0, maxLength = Infinity, minItems = 0, maxItems = Infinity, items } = field;
  const within = (size: number, least: unknown, most: unknown): boolean =>
    size >= Number(least) && size <= Number(most);
  const choices = valuesOf(field);
  if (choices !== undefined) return choices.includes(value);
  switch (type) {
    case 'string':
      // A character may be two units of UTF-16.
      return typeof value === 'string' && within(characters(value), minLength, maxLength);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array': {
      const each = valuesOf(items as JsonObject) ?? [];
      if (!Array.isArray(value) || !within(value.length, minItems, maxItems)) return false;
      return value.every((one) => each.includes(one));
    }
    default: {
      const { minimum = -Infinity, maximum = Infinity } = field;
      return isNumber(value) && (type === 'number' || Number.isInteger(value)) && within(value, minimum, maximum);
    }
  }
}

/** What there is to choose from; undefined when it is no choice. */
function valuesOf({ enum: plain, oneOf, anyOf }: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(plain)) return plain as unknown[];
  const titled = oneOf ?? anyOf;
  return Array.isArray(titled) ? (titled as JsonObject[]).map((choice) => choice['const']) : undefined;
}

/** Forms know no open ends of a range: an integer has a next one, and what else is too much is found out here. */
function rangeOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): JsonObject {
  const above = (limit: number): number => (type === 'integer' ? Math.floor(limit) + 1 : limit);
  const below = (limit: number): number => (type === 'integer' ? Math.ceil(limit) - 1 : limit);
  const least = [minimum, isNumber(exclusiveMinimum) ? above(exclusiveMinimum) : undefined].filter(isNumber);
  const most = [maximum, isNumber(exclusiveMaximum) ? below(exclusiveMaximum) : undefined].filter(isNumber);
  return {
    ...(least.length > 0 && { minimum: Math.max(...least) }),
    ...(most.length > 0 && { maximum: Math.min(...most) }),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** Choices of texts, plain or with titles; undefined when it is none. */
function choicesOf(schema: JsonObject): JsonObject | undefined {
  const { enum: plain, enumNames, const: only } = schema;
  if (isTexts(plain)) {
    // Names beside the values are the older way to title a choice; an author who chose it is taken at the word.
    return isTexts(enumNames)
      ? { enum: plain, enumNames: plain.map((value, at) => enumNames[at] ?? value) }
      : { enum: plain };
  }
  if (typeof only === 'string') return { enum: [only] };
  const titled: unknown = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(titled) || titled.length === 0) return undefined;
  const each: JsonObject[] = [];
  for (const choice of titled as unknown[]) {
    if (!isObject(choice) || typeof choice['const'] !== 'string') return undefined;
    const { const: value, title } = choice;
    each.push({ const: value, title: typeof title === 'string' ? title : value });
  }
  return { oneOf: each };
}

/** Lists of choices have no older way to title them. */
function titledBy({ enum: plain, enumNames }: JsonObject): readonly JsonObject[] | undefined {
  if (!isTexts(plain) || !isTexts(enumNames)) return undefined;
  return plain.map((value, at) => ({ const: value, title: enumNames[at] }));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

function picked(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]));
}
