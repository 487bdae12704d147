// Hawser with the tools' schemas as plain JSON Schema: its own engine checks arguments and results.
import hawser from './hawser.mjs';

// zod's JSON Schemas still know the zod schema they came from.
const plain = (schema) => JSON.parse(JSON.stringify(schema));

async function http(app, { listen }) {
  const { nodeHandler } = await import('hawser/node');
  const { Server } = await import('hawser/server');
  const server = new Server(app.info);
  for (const t of app.tools) {
    const schemas = { input: plain(t.jsonInput), ...(t.output && { output: plain(t.jsonOutput) }) };
    server.tool(t.name, { description: t.description, ...schemas }, t.run);
  }
  return { port: await listen(nodeHandler(server)) };
}

export default { label: 'hawser, JSON Schema', packages: hawser.packages, http: { modern: http, legacy: http } };
