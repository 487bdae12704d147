/** Whether a JSON Schema is one: what a validator would trip over later, or silently pass over, is found at once. */
import { isObject } from '../base/json.ts';

/** Most levels of subschemas. */
export const maxSchemaDepth = 64;
/** Most subschemas in one schema. */
export const maxSubschemas = 10_000;
/** Longest regular expression, in characters. */
export const maxPatternLength = 10_000;

/**
 * What is wrong with the form of a schema: keywords with values they cannot have, and schemas past the bounds.
 *
 * @param tuples whether the dialect has lists as `items`: all before 2020-12 do
 * @returns one sentence that names the place by a JSON Pointer, or undefined
 */
export function schemaProblem(schema: unknown, tuples: boolean): string | undefined {
  return new Walk(tuples).visit(schema, '', 0);
}

class Walk {
  readonly #tuples: boolean;
  #seen = 0;

  constructor(tuples: boolean) {
    this.#tuples = tuples;
  }

  visit(schema: unknown, path: string, depth: number): string | undefined {
    if (typeof schema === 'boolean') return undefined;
    if (!isObject(schema)) return at(path, 'a schema is an object, true or false');
    if (depth > maxSchemaDepth) return at(path, `subschemas are nested deeper than ${maxSchemaDepth} levels`);
    if (++this.#seen > maxSubschemas) return `there are more than ${maxSubschemas} subschemas`;
    for (const [keyword, value] of Object.entries(schema)) {
      const problem = this.#keyword(keyword, value, `${path}/${escaped(keyword)}`, depth);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #keyword(keyword: string, value: unknown, path: string, depth: number): string | undefined {
    const rule = rules.get(keyword);
    if (rule !== undefined) return rule.fits(value) ? undefined : at(path, `must be ${rule.must}`);
    if (mapsOfSchemas.has(keyword)) {
      if (!isObject(value)) return at(path, 'must be an object of schemas');
      return this.#members(Object.entries(value), path, depth, keyword === 'patternProperties');
    }
    if (listsOfSchemas.has(keyword) || (keyword === 'items' && this.#tuples && Array.isArray(value))) {
      if (!Array.isArray(value) || value.length === 0) return at(path, 'must be a list of schemas');
      return this.#members(Object.entries(value), path, depth, false);
    }
    return schemas.has(keyword) ? this.visit(value, path, depth + 1) : undefined;
  }

  #members(schemas: [string, unknown][], path: string, depth: number, byPattern: boolean): string | undefined {
    for (const [name, schema] of schemas) {
      const place = `${path}/${escaped(name)}`;
      if (byPattern && !isPattern(name)) return at(place, `must be ${pattern.must}`);
      const problem = this.visit(schema, place, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly must: string;
}

const types: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isText = (value: unknown): value is string => typeof value === 'string';

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return types.has(value);
  return value.length > 0 && value.every((type) => types.has(type));
}

function isPattern(value: unknown): boolean {
  if (!isText(value) || value.length > maxPatternLength) return false;
  try {
    return new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
}

const text: Rule = { fits: isText, must: 'a string' };
const number: Rule = { fits: (value) => Number.isFinite(value), must: 'a number' };
const count: Rule = { fits: (value) => Number.isInteger(value) && (value as number) >= 0, must: 'a count' };
const flag: Rule = { fits: (value) => typeof value === 'boolean', must: 'true or false' };
const list: Rule = { fits: Array.isArray, must: 'a list' };
const names: Rule = { fits: (value) => Array.isArray(value) && value.every(isText), must: 'a list of strings' };
const pattern: Rule = {
  fits: isPattern,
  must: `a regular expression of ECMA-262 with at most ${maxPatternLength} characters`,
};
const step: Rule = { fits: (value) => Number.isFinite(value) && (value as number) > 0, must: 'a number above 0' };
const type: Rule = { fits: isType, must: `one or more of ${[...types].join(', ')}` };

const rules = new Map<string, Rule>([
  ['type', type],
  ['required', names],
  ['enum', list],
  ['examples', list],
  ['pattern', pattern],
  ['multipleOf', step],
  ...each(['$id', '$schema', '$ref', '$anchor', '$comment', 'title', 'description', 'format'], text),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], number),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], count),
  ...each(['minContains', 'maxContains'], count),
  ...each(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], flag),
]);

const schemas = new Set(
  `items additionalItems unevaluatedItems contains not if then else
   additionalProperties unevaluatedProperties propertyNames contentSchema`.split(/\s+/),
);
const listsOfSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapsOfSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

function each(keywords: readonly string[], rule: Rule): [string, Rule][] {
  return keywords.map((keyword) => [keyword, rule]);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function at(path: string, problem: string): string {
  return path === '' ? problem : `${path}: ${problem}`;
}
