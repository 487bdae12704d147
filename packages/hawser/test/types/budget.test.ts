/** What the types of many tools cost the compiler: counted in instantiations, which no machine is faster at. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const tools = 200;

/** A module with 200 tools, no two alike. */
const many = (head: string, tool: (i: number) => string): string =>
  [
    head,
    `import { Server } from 'hawser/server';`,
    `export const server = new Server({ name: 'many', version: '1' });`,
    ...Array.from({ length: tools }, (_, i) => tool(i)),
  ].join('\n');

const modules = {
  none: `import { z } from 'zod';\nimport { Server } from 'hawser/server';\nexport const server = [z, new Server({ name: 'none', version: '1' })];`,
  zod: many(
    `import { z } from 'zod';`,
    (i) => `server.tool('tool${i}', {
      input: z.object({ a${i}: z.string(), n: z.number().int().default(${i}), list: z.array(z.object({ b${i}: z.boolean() })).optional() }),
      output: z.object({ text${i}: z.string() }),
    }, ({ a${i}, n, list }) => ({ structured: { text${i}: a${i}.repeat(n) + String(list?.[0]?.b${i}) } }));`,
  ),
  literal: many(
    '',
    (i) => `server.tool('tool${i}', {
      input: {
        type: 'object',
        properties: {
          a${i}: { type: 'string' }, n: { type: 'integer', default: ${i} },
          list: { type: 'array', items: { type: 'object', properties: { b${i}: { type: 'boolean' } } } },
        },
        required: ['a${i}', 'n'],
      },
      output: { type: 'object', properties: { text${i}: { type: 'string' } } },
    }, ({ a${i}, n, list }) => ({ structured: { text${i}: a${i}.repeat(n) + String(list?.[0]?.b${i}) } }));`,
  ),
};

/** The modules are checked with the options of this repository; nothing is written. */
function compile(): ts.Program {
  const read = (path: string): string => ts.sys.readFile(path) ?? '';
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, read) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const path = (name: string): string => `${root}packages/hawser/test/types/${name}.generated.ts`;
  const texts = new Map(Object.entries(modules).map(([name, text]) => [path(name), text]));
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, version, ...rest) : ts.createSourceFile(file, text, version);
  };
  return ts.createProgram({ rootNames: [...texts.keys()], options, host });
}

/** Instantiations per tool, up to a quarter above what they were. Of those for zod, two thirds are zod's own. */
const budget: Record<string, number> = { none: 1, zod: 1_030, literal: 1_020 };

test('the types of 200 tools stay within their budget', { timeout: 60_000 }, () => {
  const program = compile();
  // What `tsc --extendedDiagnostics` prints; not among the declared members.
  const counter = program as unknown as { getInstantiationCount(): number };
  for (const name of Object.keys(modules)) {
    const file = program.getSourceFiles().find((source) => source.fileName.endsWith(`/${name}.generated.ts`));
    const before = counter.getInstantiationCount();
    const problems = program.getSemanticDiagnostics(file);
    const perTool = (counter.getInstantiationCount() - before) / tools;
    expect(file?.text.length).toBeGreaterThan(0);
    expect(problems.map(({ messageText }) => messageText)).toEqual([]);
    expect(perTool, `instantiations per tool: ${name}`).toBeLessThan(budget[name] as number);
    if (name !== 'none') expect(perTool, `instantiations per tool: ${name}`).toBeGreaterThan(100);
  }
});
