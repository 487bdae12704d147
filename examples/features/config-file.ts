// Configuration files of hosts: .mcp.json, claude_desktop_config.json, VS Code's mcp.json. Secrets stay outside of the
// file; what is printed never shows them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, describeServer, resolveServer } from 'hawser';
import { localSources, readConfig, serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';

const server = new Server({ name: 'tides', version: '1.0.0' });
server.tool('tide', {}, () => 'high at noon');
const http = await serveHttp(server, {
  authenticate: (request) =>
    request.header('authorization') === 'Bearer swordfish' ? { principal: 'ada' } : { status: 401 },
});

const folder = mkdtempSync(join(tmpdir(), 'hawser-config-'));
const file = join(folder, '.mcp.json');
writeFileSync(
  file,
  `{
  "mcpServers": {
    "tides": {
      "type": "http",
      "url": "http://127.0.0.1:\${TIDES_PORT}/mcp",
      "headers": { "Authorization": "Bearer \${TIDES_TOKEN}" }
    },
    "nonsense": { "url": 7 }
  }
}`,
);
process.env['TIDES_PORT'] = `${http.port}`;
process.env['TIDES_TOKEN'] = 'swordfish';

const { servers, problems } = await readConfig(file);
for (const problem of problems) console.log(problem.replace(folder, ''));

for (const [name, config] of Object.entries(servers)) {
  console.log(`${name}: ${describeServer(config)}`);
  const { target, options } = resolveServer(config, localSources());
  const client = await connect(target, options);
  console.log((await client.callTool('tide')).text);
  await client.close();
}

await http.close();
rmSync(folder, { recursive: true });
console.log('ok: connected by a configuration file');

// Prints:
//   /.mcp.json: server "nonsense" is left out: its url is no text
//   tides: http http://127.0.0.1:${TIDES_PORT}/mcp, headers Authorization=[secret]
//   high at noon
//   ok: connected by a configuration file
