/** The package as it was built: its subpaths, what each of them loads, and the oldest Node it runs on. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const library = `${root}packages/hawser/`;

interface Manifest {
  engines: { node: string };
  sideEffects?: boolean;
  exports: Record<string, string | Record<string, string>>;
  devDependencies: Record<string, string>;
}

const manifest = (folder: string): Manifest => JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as Manifest;
const { exports, sideEffects } = manifest(library);
const subpaths = Object.keys(exports).filter((path) => path !== './package.json');

/** What a program prints that imports a subpath as users do. */
async function importing(subpath: string): Promise<{ names: string[]; loaded: string[] }> {
  const source = `
    const before = new Set(process.moduleLoadList);
    const names = Object.keys(await import('hawser${subpath.slice(1)}'));
    const loaded = process.moduleLoadList.filter((name) => !before.has(name)).map((name) => name.replace('NativeModule ', ''));
    console.log(JSON.stringify({ names, loaded }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: `${root}examples`,
  });
  return JSON.parse(stdout) as { names: string[]; loaded: string[] };
}

/** The source files in what an entry loads at once: the files it imports, without those it imports when needed. */
function sourcesOf(entry: string): string[] {
  const files = new Set([entry]);
  for (const file of files) {
    const code = readFileSync(`${library}dist/${file}`, 'utf8');
    for (const [, name] of code.matchAll(/^(?:import|export) ?(?:[^;'"]*? ?from ?)?"(\.[^"]+)"/gm))
      files.add(posix.join(posix.dirname(file), name as string));
  }
  return [...files].flatMap((file) =>
    [...readFileSync(`${library}dist/${file}`, 'utf8').matchAll(/^\/\/#region (\S+)/gm)].map(([, source]) =>
      String(source),
    ),
  );
}

describe('subpaths', () => {
  test.each(subpaths)('[SEED-176] %s is a file of that name, and what it promises can be imported', async (subpath) => {
    const target = exports[subpath];
    const file = typeof target === 'string' ? target : target?.['default'];
    expect(file).toBe(`./dist/${subpath === '.' ? 'index' : subpath.slice(2)}.js`);
    const { names } = await importing(subpath);
    expect(names).not.toEqual([]);
    // The types promise the same: `import * as` of both has the same values.
    const declared = readFileSync(`${library}dist/${subpath === '.' ? 'index.node' : subpath.slice(2)}.d.ts`, 'utf8');
    for (const name of names) expect(declared).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('what is loaded', () => {
  const platform =
    /^(?:child_process|http|https|http2|net|tls|fs|fs\/promises|worker_threads|dns|zlib|os|crypto|inspector|_http_.*)$/;

  test.each([
    ['./server', ['client', 'config', 'node', 'testing']],
    ['./schema', ['client', 'config', 'core', 'node', 'server', 'testing', 'transport', 'wire']],
    ['./testing', ['client', 'config', 'node', 'server']],
  ])('[SEED-162] %s brings nothing of %j, and nothing of the platform', async (subpath, rooms) => {
    const sources = sourcesOf(`${subpath.slice(2)}.js`);
    expect(sources.length).toBeGreaterThan(5);
    const foreign = sources.filter((source) => rooms.some((room) => source.startsWith(`src/${room}/`)));
    expect(foreign).toEqual([]);
    expect((await importing(subpath)).loaded.filter((name) => platform.test(name))).toEqual([]);
  });

  test('[SEED-162] the client brings no server, the doors no client and nothing that starts programs', async () => {
    const foreign = (entry: string, room: string): string[] =>
      sourcesOf(entry).filter((source) => source.startsWith(`src/${room}/`));
    for (const entry of ['index.js', 'index.node.js']) expect(foreign(entry, 'server')).toEqual([]);
    expect(foreign('node.js', 'client')).toEqual([]);
    expect((await importing('./node')).loaded).not.toContain('child_process');
    // The rooms are there to be found.
    expect(foreign('index.js', 'client').length).toBeGreaterThan(5);
    expect(foreign('server.js', 'server').length).toBeGreaterThan(5);
  });

  test('[SEED-162] no file does anything by being imported, so that bundlers leave out what is not used', () => {
    expect(sideEffects).toBe(false);
  });
});

describe('the oldest Node', () => {
  const floor = '20.19';

  test('[SEED-178] is the same for whoever installs, builds, type-checks and bundles', () => {
    const folders = ['', 'packages/hawser/', 'packages/cli/', 'browser/', 'interop/'];
    for (const folder of folders) expect(manifest(root + folder).engines.node, folder).toBe(`>=${floor}`);
    for (const name of ['hawser', 'cli'])
      expect(readFileSync(`${root}packages/${name}/tsdown.config.ts`, 'utf8')).toContain(`target: 'node${floor}'`);
    expect(manifest(root).devDependencies['@types/node']).toBe(`^${floor}.0`);
  });

  test('[SEED-178] a source that uses what is newer does not type-check', () => {
    const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as { config: object };
    const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
    const newer = {
      'fs.ts': "import { globSync } from 'node:fs';\nexport const files = globSync('*');\n",
      'module.ts': "import { registerHooks } from 'node:module';\nexport const hooks = registerHooks;\n",
      'language.ts': 'export const pending = Promise.withResolvers<void>();\n',
      'old.ts': "import { readFileSync } from 'node:fs';\nexport const text = readFileSync('a', 'utf8');\n",
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    const sources = new Map(Object.entries(newer).map(([name, text]) => [`${library}src/${name}`, text]));
    host.fileExists = (path) => sources.has(path) || fileExists(path);
    host.getSourceFile = (path, target, ...rest) => {
      const text = sources.get(path);
      return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
    };
    const program = ts.createProgram([...sources.keys()], { ...options, noEmit: true }, host);
    const failing = [...sources.keys()].filter((path) => {
      const file = program.getSourceFile(path);
      return program.getSemanticDiagnostics(file).some(({ category }) => category === ts.DiagnosticCategory.Error);
    });
    expect(failing.map((path) => posix.basename(path))).toEqual(['fs.ts', 'module.ts', 'language.ts']);
  });
});
