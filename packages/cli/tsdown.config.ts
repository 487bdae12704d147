import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { hawser: 'src/hawser.ts' },
  format: 'esm',
  target: 'node20.19',
  platform: 'node',
  dts: false,
  clean: true,
  outExtensions: () => ({ js: '.js' }),
});
