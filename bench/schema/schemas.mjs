// What the schema engines are given: three schemas with values, and two that are only compiled.
import { apps, recordArgs } from '../lib/app.mjs';

const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

const five = {
  ...dialect,
  type: 'object',
  properties: {
    repository: { type: 'string', pattern: '^[a-z0-9-]+/[a-z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 200 },
    state: { enum: ['open', 'closed', 'all'] },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    labels: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
  required: ['repository', 'title'],
  additionalProperties: false,
};
const issue = { repository: 'hawser/hawser', title: 'A title', state: 'open', limit: 20, labels: ['bug', 'schema'] };

const tree = {
  ...dialect,
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        size: { type: 'integer', minimum: 0 },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
};
const grow = (levels, leaf = {}) => ({
  name: `level-${levels}`,
  size: levels,
  ...leaf,
  children: levels === 0 ? [] : [grow(levels - 1), grow(levels - 1, leaf)],
});

/** A form of so many fields, every kind of field in turn. */
function fields(count) {
  const kinds = [
    { type: 'string', minLength: 1, maxLength: 200, description: 'A text' },
    { type: 'integer', minimum: 0, maximum: 1000 },
    { type: 'string', enum: ['low', 'normal', 'high'] },
    { type: 'array', items: { type: 'string' }, maxItems: 50 },
    { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] },
  ];
  const names = Array.from({ length: count }, (_, at) => `field_${at}`);
  const properties = Object.fromEntries(names.map((name, at) => [name, kinds[at % kinds.length]]));
  return { ...dialect, type: 'object', properties, required: names, additionalProperties: false };
}

export const validated = {
  '5 fields': { schema: five, valid: issue, invalid: { ...issue, labels: ['bug', 'schema', 'bug'] } },
  // The tool of benchmark B3.
  '20 fields, nested': {
    schema: apps.record().tools[0].jsonInput,
    valid: recordArgs,
    invalid: { ...recordArgs, items: [recordArgs.items[0], { ...recordArgs.items[1], price: -1 }] },
  },
  'recursive $ref': { schema: tree, valid: grow(4), invalid: grow(4, { size: -1 }) },
};

export const compiled = { '20 fields': fields(20), '300 fields': fields(300) };
