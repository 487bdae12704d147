/**
 * Forms of elicitation: flat objects of text, numbers, booleans and choices (client/elicitation "Requested Schema").
 * Checked by hand and in linear time, since the schema is the server's: a `pattern` is not applied, it is a program of
 * the peer's and the server checks again anyway.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { JsonSchema } from '../model/types.ts';
import { characters } from '../schema/text.ts';
import { fitsFormat } from './form-format.ts';
import { badQuestion } from './unanswerable.ts';

type Check = (value: unknown) => string | undefined;

interface Field {
  readonly check: Check;
  readonly fallback: unknown;
}

/** A form made ready for its answer. */
export class Form {
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #required: readonly string[];

  /** @throws Unanswerable for a schema that describes no form */
  constructor(schema: JsonSchema) {
    const { type, properties = {}, required = [] } = schema;
    if (type !== undefined && type !== 'object') throw noForm('it is not of type object');
    if (!isObject(properties)) throw noForm('properties is not an object');
    if (!Array.isArray(required)) throw noForm('required is not an array');
    this.#fields = new Map(Object.entries(properties).map(([name, property]) => [name, fieldOf(name, property)]));
    this.#required = required.filter((name): name is string => typeof name === 'string');
  }

  /** The content with the defaults of what is missing, as far as they fit themselves. */
  filled(content: JsonObject): JsonObject {
    const entries = new Map(Object.entries(content).filter(([, value]) => value !== undefined));
    for (const [name, { check, fallback }] of this.#fields)
      if (!entries.has(name) && fallback !== undefined && check(fallback) === undefined) entries.set(name, fallback);
    return Object.fromEntries(entries);
  }

  /** What is wrong with the content, a clause each; values are not repeated. */
  problems(content: JsonObject): string[] {
    const missing = this.#required.filter((name) => !Object.hasOwn(content, name));
    const wrong = Object.entries(content).flatMap(([name, value]) => {
      const problem = (this.#fields.get(name)?.check ?? plain)(value);
      return problem === undefined ? [] : [`${name} ${problem}`];
    });
    return [...missing.map((name) => `${name} is missing`), ...wrong];
  }
}

function noForm(problem: string): Error {
  return badQuestion(`elicitation/create: requestedSchema: ${problem}`);
}

function fieldOf(name: string, property: unknown): Field {
  if (!isObject(property)) throw noForm(`property "${sample(name, 100)}" is no schema`);
  if (property['type'] === 'object') throw noForm(`property "${sample(name, 100)}" is not primitive`);
  return { check: checkOf(property), fallback: property['default'] };
}

function checkOf(schema: JsonObject): Check {
  switch (schema['type']) {
    case 'string':
      return textCheck(schema);
    case 'number':
    case 'integer':
      return numberCheck(schema);
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? undefined : 'is not a boolean');
    case 'array':
      return listCheck(schema);
    default: {
      // Choices may stand without a type; what else there may be is for the server to check.
      const choices = choicesOf(schema);
      return choices === undefined ? plain : (value) => plain(value) ?? oneOf(choices, value);
    }
  }
}

/** What content may hold at all (ElicitResult). */
function plain(value: unknown): string | undefined {
  const flat = Array.isArray(value) ? value.every((each) => typeof each === 'string') : isPrimitive(value);
  return flat ? undefined : 'is neither text, a number, a boolean nor a list of text';
}

function isPrimitive(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function textCheck(schema: JsonObject): Check {
  const { minLength, maxLength, format } = schema;
  const choices = choicesOf(schema);
  return (value) => {
    if (typeof value !== 'string') return 'is not text';
    if (choices !== undefined) return oneOf(choices, value);
    if (typeof minLength === 'number' && characters(value) < minLength) return 'is too short';
    if (typeof maxLength === 'number' && characters(value) > maxLength) return 'is too long';
    if (typeof format === 'string' && !fitsFormat(format, value)) return `is not of the format ${format}`;
    return undefined;
  };
}

function numberCheck(schema: JsonObject): Check {
  const { type, minimum, maximum } = schema;
  const choices = choicesOf(schema);
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'is not a number';
    if (type === 'integer' && !Number.isInteger(value)) return 'is not an integer';
    if (typeof minimum === 'number' && value < minimum) return 'is too small';
    if (typeof maximum === 'number' && value > maximum) return 'is too large';
    return choices === undefined ? undefined : oneOf(choices, value);
  };
}

function listCheck(schema: JsonObject): Check {
  const { items, minItems, maxItems } = schema;
  const choices = isObject(items) ? choicesOf(items) : undefined;
  return (value) => {
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return 'is not a list of text';
    if (typeof minItems === 'number' && value.length < minItems) return 'has too few entries';
    if (typeof maxItems === 'number' && value.length > maxItems) return 'has too many entries';
    return choices === undefined || value.every((each) => choices.has(each)) ? undefined : 'has an unknown choice';
  };
}

/** The values of `enum`, or of titled choices: `oneOf` for one, `anyOf` for many of them. */
function choicesOf(schema: JsonObject): ReadonlySet<unknown> | undefined {
  const { enum: plainChoices, oneOf: titled, anyOf: many } = schema;
  if (Array.isArray(plainChoices)) return new Set(plainChoices);
  const list = Array.isArray(titled) ? titled : many;
  if (!Array.isArray(list)) return undefined;
  const choices = (list as unknown[]).filter((choice): choice is JsonObject => isObject(choice) && 'const' in choice);
  return choices.length === list.length ? new Set(choices.map((choice) => choice['const'])) : undefined;
}

function oneOf(choices: ReadonlySet<unknown>, value: unknown): string | undefined {
  return choices.has(value) ? undefined : 'is not one of the choices';
}
