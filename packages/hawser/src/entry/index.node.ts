import { connectOn } from '../client/connect.ts';
import { spawning } from '../node/spawn.ts';
import { undiciPort } from '../node/undici.ts';

export * from './client.ts';

/**
 * Connects to an MCP server: over HTTP, by starting a program and speaking over its stdio, or to a server in this
 * process. The revision is found out.
 *
 * ```ts
 * const client = await connect('https://mcp.example.com/mcp')
 * const client = await connect('npx -y some-server')
 * const client = await connect({ command: ['node', 'server.js'], env: { TOKEN: token } })
 * ```
 *
 * @throws ArgumentError for targets that cannot be read, ConnectionError, UnauthorizedError,
 *   UnsupportedProtocolVersionError, RequestTimeoutError
 */
export const connect = connectOn({ http: undiciPort, spawn: spawning });
