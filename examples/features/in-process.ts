// In one process: a client and a server without a network, in either generation of the protocol. Good for tests.
import { connect } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'adder', version: '1.0.0' });
server.tool('add', {}, () => ({ structured: { sum: 3 } }));

for (const protocol of ['modern', 'legacy'] as const) {
  const client = await connect(server, { protocol });
  const { structured } = await client.callTool('add');
  console.log(client.protocolVersion, JSON.stringify(structured));
  await client.close();
}
console.log('ok: the same handler, both generations');

// Prints:
//   2026-07-28 {"sum":3}
//   2025-11-25 {"sum":3}
//   ok: the same handler, both generations
