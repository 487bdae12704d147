import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/entry/index.ts',
    'index.node': 'src/entry/index.node.ts',
    server: 'src/entry/server.ts',
    schema: 'src/entry/schema.ts',
    node: 'src/entry/node.ts',
    testing: 'src/entry/testing.ts',
  },
  format: 'esm',
  target: 'node20.19',
  platform: 'neutral',
  external: [/^node:/],
  dts: true,
  clean: true,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
});
