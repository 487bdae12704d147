import { connect } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'adder', version: '1.0.0' });
server.tool('add', {}, () => ({ structured: { sum: 3 } }));

const client = await connect(server);
const { structured } = await client.callTool('add');
console.log(structured);
await client.close();
