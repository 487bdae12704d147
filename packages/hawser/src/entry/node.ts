export { localSources, readConfig } from '../node/config.ts';
export { nodeHandler, serveHttp } from '../node/http.ts';
export type { HttpServing } from '../node/http.ts';
export type { NodeHandlerOptions, ServeHttpOptions } from '../node/http-options.ts';
export { serveStdio } from '../node/stdio.ts';
export type { ServeStdioOptions, StdioServing } from '../node/stdio.ts';
export { stderrLogger } from '../node/stderr-logger.ts';
export type { StderrLoggerOptions } from '../node/stderr-logger.ts';
