// The programs that are run and type-checked against the installed packages.

/** Serves a tool over HTTP, calls it in both eras, prints the results, closes, and has to end by itself. */
export const program = (entry) => `
import { connect } from '${entry}';
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';
import * as testing from 'hawser/testing';

if (Object.keys(testing).length === 0) throw new Error('hawser/testing exports nothing');

const number = { type: 'number' };
const server = new Server({ name: 'sums', version: '1.0.0' });
server.tool(
  'add',
  { description: 'Adds', input: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] } },
  ({ a, b }) => \`\${a} + \${b} = \${a + b}\`,
);
const serving = await serveHttp(server, {});
for (const protocol of ['modern', 'legacy']) {
  const client = await connect(serving.url, { protocol });
  const result = await client.callTool('add', { a: 2, b: 3 });
  console.log(client.protocolEra + ': ' + result.text);
  await client.close();
}
await serving.close();
`;

/** Compiles schemas, a stranger's with a regular expression and one with formats, where no code may be generated. */
export const schemaProgram = `
import { compile, compileUntrusted } from 'hawser/schema';

let isForbidden = false;
try { new Function(''); } catch { isForbidden = true; }
if (!isForbidden) throw new Error('code may be generated');

const schema = { type: 'object', properties: { a: { pattern: '^\\\\d+$' } }, required: ['a'], unevaluatedProperties: false };
const trusted = compile(schema);
const untrusted = await compileUntrusted(schema);
const formats = await compile({ format: 'email' }, { assertFormats: true });
const outcomes = [trusted, untrusted].flatMap((one) => [one.isValid({ a: '12' }), one.isValid({ a: 'x' })]);
console.log([...outcomes, formats.isValid('a@b.test'), formats.isValid('a')].join(' '));
`;

/** Uses the types of every subpath. */
export const typedProgram = `
import { connect, type Client } from 'hawser';
import { nodeHandler, serveHttp, serveStdio } from 'hawser/node';
import { Server } from 'hawser/server';
import * as testing from 'hawser/testing';
import { createServer } from 'node:http';

const server = new Server({ name: 'sums', version: '1.0.0' });
server.tool('add', { input: { type: 'object' } }, async (args, ctx) => {
  await ctx.progress(1, 2);
  return { text: String(args['a']), structured: { sum: 5 } };
});
createServer(nodeHandler(server, {}));
export const stdio = (): Promise<void> => serveStdio(server).closed;
export const web: Promise<Response> = server.fetch(new Request('http://127.0.0.1/mcp'));
export const names: string[] = Object.keys(testing);

export async function main(signal: AbortSignal): Promise<string> {
  const serving = await serveHttp(server, { port: 0 });
  const client: Client = await connect(serving.url, { signal, timeoutMs: 10_000 });
  for (const tool of await client.listTools()) console.log(tool.name, tool.description);
  for await (const tool of client.tools()) console.log(tool.name);
  const result = await client.callTool('add', { a: 2 }, { signal, onProgress: ({ progress }) => console.log(progress) });
  // @ts-expect-error: a port is a number
  await serveHttp(server, { port: '0' });
  await client.close();
  await serving.close();
  return result.text;
}
`;
