// The main job, end to end: one server, both generations of the protocol, two transports, and a server of others.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AbortError, connect, type Client, type ConnectOptions, type Target } from 'hawser';
import { serveHttp } from 'hawser/node';
import server from './forecast.ts';

const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const say = (text = ''): void => console.log(text);

const http = await serveHttp(server);
const program: Target = { command: [process.execPath, '--import', import.meta.resolve('tsx'), local('./stdio.ts')] };

for (const protocol of ['auto', 'legacy'] as const) {
  await forecast(`forecast server over HTTP, ${http.url}`, http.url, { protocol });
  await forecast('forecast server as a child process, over stdio', program, { protocol });
}
await http.close();
await everything();
say('ok: two generations, two transports, two servers');

async function open(title: string, target: Target, options: ConnectOptions): Promise<Client> {
  say(`── ${title}`);
  const client = await connect(target, options);
  const how = options.protocol === 'legacy' ? 'asked for' : 'found out';
  say(
    `   speaks ${client.protocolVersion} (${client.protocolEra}, ${how}), is ${client.serverInfo?.name} ${client.serverInfo?.version}`,
  );
  return client;
}

async function forecast(title: string, target: Target, options: ConnectOptions): Promise<void> {
  const client = await open(title, target, options);
  for (const tool of await client.listTools()) say(`   tool      ${tool.name}: ${tool.description}`);

  const onProgress = (p: { progress: number; total?: number }): void => say(`   progress  ${p.progress} of ${p.total}`);
  const result = await client.callTool('forecast', { city: 'Zürich', days: 2 }, { onProgress });
  say(`   result    ${JSON.stringify(result.structured)}`);

  const refused = await client.callTool('forecast', { city: '' });
  say(`   mistake   isError: ${refused.isError}, ${refused.text}`);

  const waiting = new AbortController();
  await client
    .callTool('wait', {}, { signal: waiting.signal, onProgress: () => waiting.abort() })
    .catch((error: unknown) => {
      if (!(error instanceof AbortError)) throw error;
      say('   cancel    the call was given up, and the server was told');
    });
  await client.close();
  say();
}

/** The reference server of the protocol's makers, which we did not write. */
async function everything(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const client = await open(
    "the protocol's own test server, server-everything, over stdio",
    { command: [process.execPath, path] },
    {},
  );
  const tools = await client.listTools();
  say(`   tools     ${tools.length}: ${tools.map((tool) => tool.name).join(', ')}`);
  const echo = await client.callTool('echo', { message: 'héllo' });
  say(`   echo      ${echo.text}`);
  const sum = await client.callTool('get-sum', { a: 19, b: 23 });
  say(`   get-sum   ${sum.text}`);
  await client.close();
  say();
}
