// Where our types differ from the official schemas, or an official example from our types, on purpose. An entry that
// no difference needs is an error.

export const deliberate = [
  {
    revision: '2026-07-28',
    definition: 'JSONValue',
    path: '',
    kind: 'extra member',
    type: 'null',
    reason: 'null is a JSON value; the generator of the schema lost it (and fractions) on the way from TypeScript',
  },
];

export const deliberateExamples = [
  {
    file: 'examples/2026-07-28/ListRootsRequest/list-roots-request.json',
    reason: 'it has an "id", which the schema does not name: input requests have no JSON-RPC envelope',
  },
];
