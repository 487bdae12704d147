// The process the suite starts for each client scenario: runs the client fixture and leaves a record of how it ended,
// since the suite says nothing about clients that were killed or that failed. A record without `finished` was killed.

import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { CONFORMANCE_EXITS: file, CONFORMANCE_CLIENT: client, MCP_CONFORMANCE_SCENARIO: scenario } = process.env;
const startedAt = performance.now();

function record(event, details) {
  appendFileSync(file, `${JSON.stringify({ scenario, event, ...details })}\n`);
}

record('started', { pid: process.pid });
process.on('exit', (code) => record('finished', { code, ms: Math.round(performance.now() - startedAt) }));

await import(pathToFileURL(client).href);
