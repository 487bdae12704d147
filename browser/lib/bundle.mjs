/** Bundles a page's client for the browser, with nothing put in the place of Node's modules: it has to do without. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export async function bundle(page) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../pages/${page}.mjs`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    minify: true,
    logLevel: 'silent',
    // The repository's own paths lead to the source; a page gets what is published.
    tsconfigRaw: {},
  });
  return outputFiles[0].text;
}
