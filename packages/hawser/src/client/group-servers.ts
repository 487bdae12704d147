import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import { resolveServer, type ResolveOptions, type ServerConfig } from '../config/index.ts';
import type { Target } from './connect.ts';
import type { ConnectOptions } from './options.ts';

/** A server with options of its own, which win over those of the group. */
export interface TargetWithOptions {
  readonly target: Target;
  readonly options?: ConnectOptions | undefined;
}

/** One server of a group: where it is, the same with options, or an entry of a configuration file. */
export type GroupServer = Target | TargetWithOptions | ServerConfig;

/** The servers of a group by name. Those of a list are called `server_0`, `server_1` and so on. */
export type GroupServers = Readonly<Record<string, GroupServer>> | readonly GroupServer[];

/** Says what to connect to, each time anew. @throws ArgumentError for a configuration that lacks a value */
export type Resolve = () => { readonly target: Target; readonly options: ConnectOptions };

/**
 * The servers by name, those that are disabled left out.
 *
 * @throws ArgumentError for what is no server
 */
export function readServers(servers: GroupServers, sources: ResolveOptions): Map<string, Resolve> {
  if (typeof servers !== 'object' || servers === null)
    throw new ArgumentError('clientGroup: the servers must be an object or an array');
  const named: readonly (readonly [string, GroupServer])[] = Array.isArray(servers)
    ? servers.map((server: GroupServer, index) => [`server_${index}`, server] as const)
    : Object.entries(servers);
  const read = new Map<string, Resolve>();
  for (const [name, server] of named) {
    if (name === '') throw new ArgumentError('clientGroup: a server needs a name');
    const resolve = resolveOf(name, server, sources);
    if (resolve !== undefined) read.set(name, resolve);
  }
  return read;
}

function resolveOf(name: string, server: GroupServer, sources: ResolveOptions): Resolve | undefined {
  if (isConfig(server)) return server.disabled === true ? undefined : () => resolveServer({ ...server, name }, sources);
  if (isTargetWithOptions(server)) {
    const { target, options = {} } = server;
    return () => ({ target, options });
  }
  if (typeof server !== 'string' && (typeof server !== 'object' || server === null))
    throw new ArgumentError(`clientGroup: "${sample(name, 100)}" is no server`);
  return () => ({ target: server, options: {} });
}

/** A service has whatever members its author gave it. */
function isService(server: GroupServer): boolean {
  return isObject(server) && typeof (server as JsonObject)['answer'] === 'function';
}

/** Only entries of configuration files have a type; in targets of a program nothing is ever replaced. */
function isConfig(server: GroupServer): server is ServerConfig {
  return (
    isObject(server) && !isService(server) && 'type' in server && (server.type === 'stdio' || server.type === 'http')
  );
}

function isTargetWithOptions(server: GroupServer): server is TargetWithOptions {
  return isObject(server) && !isService(server) && 'target' in server;
}
