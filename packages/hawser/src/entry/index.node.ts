import { connectOn } from '../client/connect.ts';
import { clientGroupOn } from '../client/group.ts';
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

/**
 * Connects to several servers at once. Resolves when each has connected or failed within its own limit: one that
 * fails is in `failures`, and costs the others nothing.
 *
 * ```ts
 * await using group = await clientGroup({ files: { command: ['npx', '-y', 'some-server'] }, web: 'https://h/mcp' })
 * const { servers } = await readConfig('.mcp.json')                                  // of hawser/node
 * const group = await clientGroup(servers, { sources: localSources() })
 * ```
 *
 * @throws ArgumentError for what is no server, AbortError
 */
export const clientGroup = clientGroupOn(connect);
