// The rooms of packages/hawser/src, from the ground up, and which rooms each may import.

/** Everyone may import these. */
export const ground = ['base', 'model', 'ports'];

const peers = ['schema', 'wire', 'core', 'transport'];

/** What each room may import besides itself and the ground. */
export const mayImport = {
  base: [],
  model: [],
  ports: [],
  schema: [],
  wire: ['schema'],
  core: ['wire'],
  config: [],
  stores: [],
  transport: ['wire', 'core'],
  client: [...peers, 'config'],
  server: peers,
  oauth: ['core'],
  llm: ['schema'],
  host: ['client', 'server', 'oauth', 'llm', 'config', 'core'],
  node: ['core', 'config', 'transport'],
  testing: ['schema', 'wire', 'core', 'config', 'stores', 'transport', 'client', 'server', 'oauth', 'node'],
  entry: [
    'schema',
    'wire',
    'core',
    'config',
    'stores',
    'transport',
    'client',
    'server',
    'oauth',
    'llm',
    'host',
    'node',
    'testing',
  ],
};

export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** Files (paths below the root) that may use Node's modules and globals. */
export const nodeFiles = [
  /^packages\/hawser\/src\/node\//,
  /^packages\/hawser\/src\/entry\/[^/]+\.node\.ts$/,
  /^packages\/hawser\/src\/entry\/node\.ts$/,
  /^packages\/hawser\/src\/stores\/sqlite\.ts$/,
  /^packages\/cli\//,
];
export const nodePlaces = 'src/node, src/entry/*.node.ts, src/entry/node.ts, src/stores/sqlite.ts and packages/cli';

/** Files that may read the time, set timers and draw random values. */
export const clockFiles = [/^packages\/hawser\/src\/base\/clock\.ts$/, /^packages\/hawser\/src\/testing\/clock\.ts$/];

export const maxLines = 500;
export const manyLines = 300;
