import { connectOn } from '../client/connect.ts';

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
