// A server we did not write, started by npx: the reference server of the protocol's makers.
// Needs: npx
import { connect } from 'hawser';

const client = await connect('npx -y @modelcontextprotocol/server-everything');
console.log(client.serverInfo?.name);
console.log((await client.callTool('get-sum', { a: 19, b: 23 })).text);
await client.close();
console.log('ok: a server from npm');

// Prints:
//   mcp-servers/everything
//   The sum of 19 and 23 is 42.
//   ok: a server from npm
