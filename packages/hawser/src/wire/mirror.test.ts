import { anything, assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { checkMirror, mirrorArguments, readMirror, validateHeaderParams } from './mirror.ts';

const mirrored = (name: unknown, type: unknown = 'string'): JsonObject => ({ type, 'x-mcp-header': name });
const withProperties = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('schema extension', () => {
  test('[HTTP-035 SEED-110] annotated properties, nested ones by their path', () => {
    const schema = withProperties({
      region: mirrored('Region'),
      count: mirrored('Count', 'integer'),
      dry: mirrored('Dry-Run', 'boolean'),
      repo: withProperties({ owner: withProperties({ name: mirrored('Owner') }), plain: { type: 'string' } }),
    });
    expect(readMirror(schema)).toEqual({
      params: [
        { path: ['region'], header: 'mcp-param-region' },
        { path: ['count'], header: 'mcp-param-count' },
        { path: ['dry'], header: 'mcp-param-dry-run' },
        { path: ['repo', 'owner', 'name'], header: 'mcp-param-owner' },
      ],
      problems: [],
    });
  });

  test.each("!#$%&'*+-.^_`|~09AZaz".split(''))('[HTTP-037] %s may stand in a name', (character) => {
    expect(validateHeaderParams(withProperties({ a: mirrored(character) }))).toEqual([]);
  });

  test.each([
    '',
    ' ',
    'a b',
    'a:b',
    'a\r\nb',
    'a\u0000',
    'a\u007f',
    'é',
    '日本',
    ...'"(),/:;<=>?@[\\]{}'.split(''),
    1,
    null,
    true,
    ['Region'],
    { name: 'Region' },
  ])('[HTTP-037 SEED-112 SEED-113] a name that is no header token: %j', (name) => {
    expect(validateHeaderParams(withProperties({ a: mirrored(name) }))).toEqual([
      expect.stringMatching(/^a: .*header token/),
    ]);
  });

  test.each([
    ['the same', 'Region', 'Region'],
    ['only other letters', 'Region', 'REGION'],
  ])('[HTTP-038 SEED-112 SEED-113] a name twice in one schema: %s', (_, first, second) => {
    const schema = withProperties({ a: mirrored(first), b: withProperties({ c: mirrored(second) }) });
    expect(validateHeaderParams(schema)).toEqual([expect.stringMatching(/^b\.c: .*twice/)]);
  });

  test('[B-32] the same name in two tools is fine', () => {
    const schema = withProperties({ a: mirrored('Region') });
    expect(validateHeaderParams(schema)).toEqual([]);
    expect(validateHeaderParams(structuredClone(schema))).toEqual([]);
  });

  test.each(['string', 'integer', 'boolean'])('[HTTP-039] type %s may be mirrored', (type) => {
    expect(validateHeaderParams(withProperties({ a: mirrored('A', type) }))).toEqual([]);
  });

  test.each(['number', 'object', 'array', 'null', 'int', 5])('[HTTP-039 SEED-112 SEED-113] type %j may not', (type) => {
    expect(validateHeaderParams(withProperties({ a: mirrored('A', type) }))).toEqual([
      expect.stringMatching(/^a: .*string, integer or boolean/),
    ]);
  });

  test.each([
    ['several types', { type: ['string', 'null'], 'x-mcp-header': 'A' }],
    ['one type in a list', { type: ['string'], 'x-mcp-header': 'A' }],
    ['no type', { 'x-mcp-header': 'A' }],
    ['a type left to an enumeration', { enum: ['a'], 'x-mcp-header': 'A' }],
  ])('[B-30] %s is none of the three types', (_, schema) => {
    expect(validateHeaderParams(withProperties({ a: schema }))).toHaveLength(1);
  });

  const annotated = withProperties({ a: mirrored('A') });
  test.each<[string, JsonObject]>([
    ['the root itself', { type: 'string', 'x-mcp-header': 'A' }],
    ['items', withProperties({ list: { type: 'array', items: mirrored('A') } })],
    ['properties of items', withProperties({ list: { type: 'array', items: annotated } })],
    ['prefixItems', withProperties({ list: { type: 'array', prefixItems: [mirrored('A')] } })],
    ['contains', withProperties({ list: { contains: mirrored('A') } })],
    ['unevaluatedItems', withProperties({ list: { unevaluatedItems: mirrored('A') } })],
    ['oneOf', { type: 'object', oneOf: [annotated, {}] }],
    ['anyOf', { type: 'object', anyOf: [annotated] }],
    ['allOf', { type: 'object', allOf: [annotated] }],
    ['anyOf of the property', withProperties({ a: { type: 'string', anyOf: [mirrored('A')] } })],
    ['not', { type: 'object', not: annotated }],
    ['if', { type: 'object', if: annotated }],
    ['then', { type: 'object', ['then' as string]: annotated }],
    ['else', { type: 'object', else: annotated }],
    ['additionalProperties', { type: 'object', additionalProperties: mirrored('A') }],
    ['unevaluatedProperties', { type: 'object', unevaluatedProperties: mirrored('A') }],
    ['propertyNames', { type: 'object', propertyNames: mirrored('A') }],
    ['patternProperties', { type: 'object', patternProperties: { '^x': mirrored('A') } }],
    ['dependentSchemas', { type: 'object', dependentSchemas: { b: annotated } }],
    ['an unknown keyword', { type: 'object', 'x-more': annotated }],
  ])('[HTTP-040 SEED-112 SEED-113] not reached by "properties" alone: %s', (_, schema) => {
    const { params, problems } = readMirror(schema);
    expect(params).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/reached by "properties" alone/)]);
  });

  test.each<[string, JsonObject]>([
    ['$defs that a $ref names', { $defs: { r: mirrored('A') }, ...withProperties({ a: { $ref: '#/$defs/r' } }) }],
    ['$defs that nobody names', { type: 'object', $defs: { r: mirrored('A') } }],
    ['definitions', { type: 'object', definitions: { r: annotated } }],
    ['$defs within a property', withProperties({ a: { type: 'string', $defs: { r: mirrored('A') } } })],
  ])('[B-31 HTTP-040] a definition is no property: %s', (_, schema) => {
    expect(validateHeaderParams(schema)).toHaveLength(1);
  });

  test.each(['const', 'enum', 'default', 'examples'])('[B-31] what stands below %s is data', (keyword) => {
    const data = { 'x-mcp-header': 'not a name', nested: { 'x-mcp-header': 5 } };
    const schema = withProperties({ a: { type: 'object', [keyword]: keyword === 'const' ? data : [data] } });
    expect(validateHeaderParams(schema)).toEqual([]);
  });

  test('names of properties are names, whatever keyword they look like', () => {
    const schema = withProperties({
      'x-mcp-header': { type: 'string' },
      default: mirrored('Default'),
      properties: withProperties({ const: mirrored('Const') }),
      items: mirrored('Items'),
    });
    expect(readMirror(schema)).toEqual({
      params: [
        { path: ['default'], header: 'mcp-param-default' },
        { path: ['properties', 'const'], header: 'mcp-param-const' },
        { path: ['items'], header: 'mcp-param-items' },
      ],
      problems: [],
    });
  });

  test('every problem is told, each with its place', () => {
    const schema = withProperties({ a: mirrored(''), b: mirrored('B', 'number'), c: mirrored('C'), d: mirrored('c') });
    expect(validateHeaderParams(schema)).toEqual([
      expect.stringMatching(/^a: /),
      expect.stringMatching(/^b: /),
      expect.stringMatching(/^d: /),
    ]);
  });

  test('nothing that can be parsed makes it throw or run on', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 10_000; level++) deep = { properties: { a: deep } };
    expect(validateHeaderParams(deep)).toEqual([]);
    assert(
      property(anything({ withNullPrototype: true }), (schema) => {
        expect(Array.isArray(validateHeaderParams({ properties: { a: schema } }))).toBe(true);
      }),
    );
  });
});

const { params } = readMirror(
  withProperties({
    region: mirrored('Region'),
    count: mirrored('Count', 'integer'),
    dry: mirrored('Dry', 'boolean'),
    repo: withProperties({ name: mirrored('Repo') }),
  }),
);

describe('client behaviour', () => {
  test('[HTTP-042 SEED-110] each argument at its exact path', () => {
    const args = { region: 'us', count: -7, dry: false, repo: { name: 'hawser' }, name: 'not this one' };
    expect(mirrorArguments(params, args)).toEqual({
      headers: {
        'mcp-param-region': 'us',
        'mcp-param-count': '-7',
        'mcp-param-dry': 'false',
        'mcp-param-repo': 'hawser',
      },
    });
  });

  test.each<JsonObject>([
    {},
    { region: null, count: undefined, repo: null },
    { repo: {} },
    { repo: 'hawser' },
    { repo: [{ name: 'a' }] },
    { 'repo.name': 'hawser' },
  ])('[HTTP-042 SEED-110] absent and null arguments have no header: %j', (args) => {
    expect(mirrorArguments(params, args)).toEqual({ headers: {} });
  });

  test('inherited members are no arguments', () => {
    const [param] = readMirror(withProperties({ constructor: mirrored('A') })).params;
    expect(param?.path).toEqual(['constructor']);
    expect(mirrorArguments([{ path: ['constructor', 'name'], header: 'mcp-param-a' }], {})).toEqual({ headers: {} });
    const args = JSON.parse('{"__proto__":{"a":"own"}}') as JsonObject;
    expect(mirrorArguments([{ path: ['__proto__', 'a'], header: 'mcp-param-a' }], args)).toEqual({
      headers: { 'mcp-param-a': 'own' },
    });
  });

  test('[B-27] an empty string has an empty header', () => {
    expect(mirrorArguments(params, { region: '' })).toEqual({ headers: { 'mcp-param-region': '' } });
  });

  test.each([
    [{ count: 1.5 }, 'count'],
    [{ count: 2 ** 53 }, 'count'],
    [{ region: { a: 1 } }, 'region'],
    [{ repo: { name: ['a'] } }, 'repo.name'],
  ])('[B-29 HTTP-039] %j cannot be mirrored, and %s is named', (args, unfit) => {
    expect(mirrorArguments(params, args)).toEqual({ unfit });
  });
});

describe('server behaviour for custom headers', () => {
  const check = (args: JsonObject, headers: Record<string, string>): string | undefined =>
    checkMirror(params, args, (name) => headers[name]);

  test.each<[JsonObject, Record<string, string>]>([
    [{}, {}],
    [{ region: null }, {}],
    [{ region: 'us' }, { 'mcp-param-region': 'us' }],
    [{ region: 'us' }, { 'mcp-param-region': ' us\t' }],
    [{ region: '' }, { 'mcp-param-region': '' }],
    [{ region: 'é' }, { 'mcp-param-region': '=?base64?w6k=?=' }],
    [{ region: 'us' }, { 'mcp-param-region': '=?base64?dXM=?=' }],
    [{ region: '=?base64?dXM=?=' }, { 'mcp-param-region': '=?base64?PT9iYXNlNjQ/ZFhNPT89?=' }],
    [{ count: 42 }, { 'mcp-param-count': '42.0' }],
    [
      { dry: true, repo: { name: 'x' } },
      { 'mcp-param-dry': 'true', 'mcp-param-repo': 'x' },
    ],
    [{}, { 'mcp-param-other': 'ignored' }],
  ])('[HTTP-048 B-26 B-27] they agree: %j, %j', (args, headers) => {
    expect(check(args, headers)).toBeUndefined();
  });

  test.each<JsonObject>([{ region: 'us' }, { region: '' }, { count: 0 }, { dry: false }, { repo: { name: 'x' } }])(
    '[HTTP-047] an argument without its header: %j',
    (args) => {
      expect(check(args, {})).toMatch(/^mcp-param-\w+ is missing$/);
    },
  );

  test.each<JsonObject>([{}, { region: null }])('[HTTP-047] a header without its argument: %j', (args) => {
    expect(check(args, { 'mcp-param-region': '' })).toMatch(/^mcp-param-region is given/);
  });

  test.each<[JsonObject, Record<string, string>, RegExp]>([
    [{ region: 'us' }, { 'mcp-param-region': 'US' }, /^mcp-param-region differs/],
    [{ region: 'us' }, { 'mcp-param-region': '' }, /^mcp-param-region differs/],
    [{ region: 'us' }, { 'mcp-param-region': '=?BASE64?dXM=?=' }, /^mcp-param-region differs/],
    [{ region: 'us' }, { 'mcp-param-region': '=?base64?@@@@?=' }, /^mcp-param-region is not a valid value/],
    [{ region: 'é' }, { 'mcp-param-region': 'é' }, /^mcp-param-region is not a valid value/],
    [{ region: 'a' }, { 'mcp-param-region': 'a\u0000' }, /^mcp-param-region is not a valid value/],
    [{ count: 42 }, { 'mcp-param-count': '0x2a' }, /^mcp-param-count differs/],
    [{ count: 0 }, { 'mcp-param-count': '' }, /^mcp-param-count differs/],
    [{ dry: true }, { 'mcp-param-dry': '1' }, /^mcp-param-dry differs/],
    [{ repo: { name: 'x' } }, { 'mcp-param-repo': 'y' }, /^mcp-param-repo differs from repo\.name/],
  ])('[HTTP-048] they differ: %j, %j', (args, headers, problem) => {
    expect(check(args, headers)).toMatch(problem);
  });
});
