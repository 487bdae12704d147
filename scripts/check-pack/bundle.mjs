// What a bundler makes of an entry of the installed package.
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

/** Bytes of an entry, bundled, minified, gzipped: of what is loaded with it, and of what is only loaded when needed. */
export async function bundledSize(folder, entry, external) {
  const [{ chunks }] = await build({
    config: false,
    cwd: folder,
    entry: { entry },
    outDir: `${folder}/bundled`,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    dts: false,
    report: false,
    logLevel: 'error',
    external,
  });
  const byName = new Map(chunks.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set([...byName.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded) for (const name of imports) if (byName.has(name)) loaded.add(byName.get(name));
  const sizeOf = (some) => some.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
  return { loaded: sizeOf([...loaded]), later: sizeOf([...byName.values()].filter((chunk) => !loaded.has(chunk))) };
}
