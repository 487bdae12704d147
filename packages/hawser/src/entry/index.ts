import { connectOn } from '../client/connect.ts';
import { clientGroupOn } from '../client/group.ts';

export * from './client.ts';

/**
 * Connects to an MCP server: over HTTP by `fetch`, or to a server in this process. The revision is found out.
 *
 * ```ts
 * const client = await connect('https://mcp.example.com/mcp')
 * ```
 *
 * @throws ArgumentError for targets this platform cannot reach, ConnectionError, UnauthorizedError,
 *   UnsupportedProtocolVersionError, RequestTimeoutError
 */
export const connect = connectOn({});

/**
 * Connects to several servers at once. Resolves when each has connected or failed within its own limit: one that
 * fails is in `failures`, and costs the others nothing.
 *
 * ```ts
 * await using group = await clientGroup({ a: 'https://a.example/mcp', b: 'https://b.example/mcp' })
 * ```
 *
 * @throws ArgumentError for what is no server, AbortError
 */
export const clientGroup = clientGroupOn(connect);
