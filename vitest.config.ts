import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./packages/hawser/src/entry/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^hawser$/, replacement: source('index.node.ts') },
      { find: /^hawser\/server$/, replacement: source('server.ts') },
      { find: /^hawser\/schema$/, replacement: source('schema.ts') },
      { find: /^hawser\/node$/, replacement: source('node.ts') },
      { find: /^hawser\/testing$/, replacement: source('testing.ts') },
    ],
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'conformance/*.test.mjs',
    ],
    setupFiles: ['packages/hawser/test/setup.ts'],
    reporters: ['default', ['json', { outputFile: '.cache/test-results.json' }]],
    testTimeout: 15_000,
    pool: 'threads',
    // Many tests wait for programs and sockets: one more worker than a small machine has cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
