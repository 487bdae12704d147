// The main job, end to end: one server, both generations of the protocol, two transports, and a server of others.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Client, type ConnectOptions, type Target } from 'hawser';
import { serveHttp } from 'hawser/node';
import { library } from './library.ts';

const say = (text = ''): void => console.log(text);
const folder = mkdtempSync(join(tmpdir(), 'hawser-demo-'));
const notes = join(folder, 'notes.md');

const http = await serveHttp(library(notes));
const program = fileURLToPath(new URL('./library-stdio.ts', import.meta.url));
const command: Target = { command: [process.execPath, '--import', import.meta.resolve('tsx'), program, notes] };

for (const protocol of ['auto', 'legacy'] as const) {
  await visit(`the library over HTTP, ${http.url}`, http.url, protocol);
  await visit('the library as a child process, over stdio', command, protocol);
}
await http.close();
await everything();
rmSync(folder, { recursive: true });
say('ok: two generations, two transports, two servers');

async function open(title: string, target: Target, options: ConnectOptions): Promise<Client> {
  say(`── ${title}`);
  const client = await connect(target, options);
  const how = options.protocol === 'legacy' ? 'asked for' : 'found out';
  const { name, version } = client.serverInfo ?? {};
  say(`   speaks    ${client.protocolVersion} (${client.protocolEra}, ${how}), is ${name} ${version}`);
  return client;
}

async function visit(title: string, target: Target, protocol: 'auto' | 'legacy'): Promise<void> {
  let answer: { title: string } | { action: 'decline' } = { action: 'decline' };
  let changed = (): void => {};
  const change = new Promise<void>((resolve) => (changed = resolve));
  const onNotification = ({ method }: { method: string }): void => {
    if (method === 'notifications/resources/updated') changed();
  };
  const client = await open(title, target, {
    protocol,
    onNotification,
    logLevel: 'info',
    onLog: ({ level, logger, data }) => say(`   log       ${level} of ${logger}: ${JSON.stringify(data)}`),
    onElicit: ({ message }) => {
      say(`   asks      ${message}`);
      say(`   answer    ${JSON.stringify(answer)}`);
      return answer;
    },
  });

  const resources = await client.listResources();
  say(`   offers    ${resources.map(({ name }) => name).join(', ')}`);
  const reference = { type: 'ref/resource', uri: 'docs://{+path}' } as const;
  const { values } = await client.complete(reference, { name: 'path', value: 'user' });
  say(`   complete  docs://…user… is ${values.join(' or ')}`);

  let last = '';
  const result = await client.callTool(
    'search',
    { word: 'quay', limit: 1 },
    { onProgress: ({ progress, total }) => (last = `${progress} of ${total} pages`) },
  );
  say(`   progress  ${last}`);
  say(`   search    ${JSON.stringify(result.structured)}`);
  const page = await client.readResource('docs://README.md');
  say(`   read      docs://README.md, ${page.text.split('\n')[0]}`);
  const prompt = await client.getPrompt('explain', { page: 'README.md' });
  say(`   prompt    ${prompt.messages.length} messages, ${prompt.text.split('\n')[0]}`);

  const refused = await client.callTool('search', { word: 'q' });
  say(`   mistake   isError: ${refused.isError}, ${refused.text}`);

  say(`   note      ${(await client.callTool('note', { text: 'Hawsers are thick.' })).text}`);
  const listening = client.isModern
    ? await client.listen({ resourceSubscriptions: ['notes://all'] }, { onNotification })
    : await client.subscribeResource('notes://all');
  answer = { title: 'Ropes' };
  say(`   note      ${(await client.callTool('note', { text: 'Hawsers are thick.' })).text}`);
  await change;
  say(`   changed   notes://all begins with ${(await client.readResource('notes://all')).text.split('\n')[0]}`);

  await listening?.close();
  await client.close();
  say();
}

/** The reference server of the protocol's makers, which we did not write. */
async function everything(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const title = "the protocol's own test server, server-everything, over stdio";
  const client = await open(
    title,
    { command: [process.execPath, path] },
    {
      onElicit: ({ schema }) => {
        say(`   asks      for ${Object.keys(schema['properties'] ?? {}).length} values`);
        return { name: 'Ada', integer: 7 };
      },
      onSample: ({ maxTokens }) => {
        say(`   asks      for ${maxTokens} tokens at most of our model`);
        return { role: 'assistant', content: { type: 'text', text: 'Ahoy.' }, model: 'none at all' };
      },
    },
  );
  const tools = await client.listTools();
  const resources = await client.listResources();
  const prompts = await client.listPrompts();
  say(`   offers    ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`);
  say(`   echo      ${(await client.callTool('echo', { message: 'héllo' })).text}`);
  say(`   get-sum   ${(await client.callTool('get-sum', { a: 19, b: 23 })).text}`);
  say(`   form      ${(await client.callTool('trigger-elicitation-request')).text.split('\n')[0]}`);
  const sampled = await client.callTool('trigger-sampling-request', { prompt: 'Hi', maxTokens: 9 });
  say(`   model     ${sampled.text.includes('Ahoy.') ? 'said Ahoy.' : sampled.text}`);
  const [first] = resources;
  if (first !== undefined)
    say(`   read      ${first.name}, ${(await client.readResource(first.uri)).text.length} characters`);
  const reference = { type: 'ref/prompt', name: 'completable-prompt' } as const;
  say(`   complete  ${(await client.complete(reference, { name: 'department', value: 'S' })).values.join(', ')}`);
  await client.close();
  say();
}
