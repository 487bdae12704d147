// Hawser with the tools' schemas as plain JSON Schema: its own engine checks arguments and results.
import hawser from './hawser.mjs';

// zod's JSON Schemas still know the zod schema they came from.
const plain = (schema) => JSON.parse(JSON.stringify(schema));

function http(app, context) {
  const schemas = (t) => ({ input: plain(t.jsonInput), ...(t.output && { output: plain(t.jsonOutput) }) });
  return hawser.http.modern({ ...app, tools: app.tools.map((t) => ({ ...t, ...schemas(t) })) }, context);
}

export default { label: 'hawser, JSON Schema', packages: hawser.packages, http: { modern: http, legacy: http } };
