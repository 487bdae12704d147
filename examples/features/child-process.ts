// A server that runs as a program: the client starts it, speaks over stdin and stdout, and ends it.
import { fileURLToPath } from 'node:url';
import { connect } from 'hawser';
import { serveStdio } from 'hawser/node';
import { Server } from 'hawser/server';

if (process.argv[2] === 'serve') {
  const server = new Server({ name: 'child', version: '1.0.0' });
  server.tool('greet', {}, () => `Hello from another process.`);
  serveStdio(server);
} else {
  const file = fileURLToPath(import.meta.url);
  for (const protocol of ['auto', 'legacy'] as const) {
    const client = await connect({ command: [process.execPath, ...process.execArgv, file, 'serve'] }, { protocol });
    console.log(client.protocolVersion, (await client.callTool('greet')).text);
    await client.close();
  }
  console.log('ok: a process, in both generations');
}

// Prints:
//   2026-07-28 Hello from another process.
//   2025-11-25 Hello from another process.
//   ok: a process, in both generations
