/** Configuration files of MCP servers, read without touching a disk, a network or a process. */
export { describeServer } from './describe.ts';
export { parseConfig, type ParseConfigOptions } from './parse.ts';
export { resolveServer, type ResolvedServer, type ResolveOptions } from './resolve.ts';
export type { ConfigInput, HttpServerConfig, ParsedConfig, ServerConfig, StdioServerConfig } from './types.ts';
