// Shows that the comparison can fail: small definitions, each beside a type that says the same and types that do not.

import { Comparison } from './compare.mjs';
import { Schemas } from './schema-shapes.mjs';
import { Types } from './type-shapes.mjs';

const string = { type: 'string' };

// Each sample is a definition named `It`, a type that matches, and wrong types with the kind of difference expected.
const samples = [
  {
    schema: object({ a: string, b: { type: 'integer' } }, ['a']),
    right: 'interface It { a: string; b?: number }',
    wrong: {
      'type It2 = string': 'missing type',
      'interface It { b?: number }': 'missing property',
      'interface It { a: string; b?: number; c?: string }': 'extra property',
      'interface It { a?: string; b?: number }': 'optional',
      'interface It { a: string; b: number }': 'optional',
      'interface It { a: string; b?: number | undefined }': 'extra member',
      'interface It { a: number; b?: number }': 'kind',
      'interface It { a: unknown; b?: number }': 'kind',
      'interface It { a: string; b?: number; [key: string]: string | number | undefined }': 'extra index',
    },
  },
  {
    schema: object({ method: { const: 'tools/call' }, level: { enum: ['low', 'high'] } }, ['method', 'level']),
    right: "interface It { method: 'tools/call'; level: 'high' | 'low' }",
    wrong: {
      "interface It { method: 'tools/list'; level: 'high' | 'low' }": 'literal',
      "interface It { method: string; level: 'high' | 'low' }": 'kind',
      "interface It { method: 'tools/call'; level: 'high' }": 'missing member',
      "interface It { method: 'tools/call'; level: 'high' | 'low' | 'middle' }": 'extra member',
      "interface It { method: 'tools/call'; level: 'high' | 'lo' }": 'missing member',
    },
  },
  {
    schema: { anyOf: [object({ a: string }, ['a']), object({ b: string }, ['b']), { type: ['string', 'null'] }] },
    right: 'type It = { b: string } | { a: string } | null | string',
    wrong: {
      'type It = { a: string } | null | string': 'missing member',
      'type It = { a: string } | { b: string } | { c: string } | null | string': 'extra member',
      'type It = { a: string } | { b: number } | null | string': 'kind',
      'type It = { a: string } | { b: string } | string': 'missing member',
    },
  },
  {
    schema: object({ list: { type: 'array', items: string }, map: { type: 'object', additionalProperties: string } }),
    right: 'interface It { list?: string[]; map?: { [key: string]: string } }',
    wrong: {
      'interface It { list?: number[]; map?: { [key: string]: string } }': 'kind',
      'interface It { list?: string; map?: { [key: string]: string } }': 'kind',
      'interface It { list?: string[]; map?: { [key: string]: number } }': 'kind',
      'interface It { list?: string[]; map?: { key?: string } }': 'extra property',
      'interface It { list?: string[]; map?: {} }': 'kind',
    },
  },
  {
    schema: {
      allOf: [object({ code: { type: 'integer' }, more: {} }, ['code']), object({ code: { const: 1 } }, ['more'])],
    },
    right: 'interface It { code: 1; more: unknown }',
    wrong: {
      'interface It { code: number; more: unknown }': 'kind',
      'interface It { code: 1; more?: unknown }': 'optional',
    },
  },
  {
    schema: object({ next: { $ref: '#/$defs/It' }, deep: object({ next: { $ref: '#/$defs/It' } }) }),
    right: 'interface It { next?: It; deep?: { next?: It } }',
    wrong: {
      'interface It { next?: It; deep?: { next: It } }': 'optional',
      'interface It { next?: It; deep?: { next?: Other } } interface Other { next?: It; deep?: string }': 'kind',
    },
  },
];

function object(properties, required = []) {
  return { type: 'object', properties, required };
}

const cases = samples.flatMap(({ schema, right, wrong }) => [
  { schema, source: right, expected: undefined },
  ...Object.entries(wrong).map(([source, expected]) => ({ schema, source, expected })),
]);

/** The sources to compile, by file name. */
export function selfCheckSources(folder) {
  return new Map(cases.map(({ source }, number) => [`${folder}/self-check-${number}.ts`, `export ${source}\n`]));
}

/** What the comparison got wrong; empty when it can be trusted. */
export function selfCheck(program, folder) {
  return cases.flatMap(({ schema, source, expected }, number) => {
    const types = new Types(program.getTypeChecker(), program.getSourceFile(`${folder}/self-check-${number}.ts`));
    const found = new Comparison(new Schemas({ $defs: { It: schema } }), types).definition('It');
    const kinds = found.map(({ kind }) => kind);
    const good = expected === undefined ? kinds.length === 0 : kinds.includes(expected);
    return good ? [] : [`${source}: expected ${expected ?? 'no difference'}, found ${kinds.join(', ') || 'none'}`];
  });
}

export const selfCheckCount = cases.length;
