import { connect } from 'hawser';

const client = await connect(process.argv[2] ?? 'http://127.0.0.1:3000/mcp');

for (const tool of await client.listTools()) console.log(tool.name, '-', tool.description);

const result = await client.callTool('greet', { name: 'Ada' }, { onProgress: (p) => console.log(p.message) });
console.log(result.isError ? `failed: ${result.text}` : result.text);

await client.close();
