/**
 * The server's first look at a message: which era it belongs to, and whether a modern one is in order. A table of
 * checks over headers and body, in the order that satisfies every rule of MCP 2026-07-28 (basic/transports/
 * streamable-http "Server Validation", basic/versioning "Backward Compatibility"). Checks that need the server's
 * registry (unknown methods, `Mcp-Param-*`, capabilities) follow in the server's dispatch.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { errorCodes, metaKeys } from '../model/meta.ts';
import type { ClientCapabilities, Implementation, LogLevel, RequestId, Revision } from '../model/types.ts';
import type { Caller } from '../ports/index.ts';
import {
  decodeHeader,
  headerNames,
  revisions,
  revisionsOf,
  trim,
  wireFor,
  type Message,
  type Wire,
} from '../wire/index.ts';
import type { HeaderOf } from './head.ts';
import { Refusal } from './refusal.ts';

/** Who sent a modern request: read anew from every request, never remembered. */
export class ModernCaller implements Caller {
  readonly principal: string | undefined;
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly header: HeaderOf | undefined;

  constructor(
    revision: Revision,
    capabilities: ClientCapabilities,
    clientInfo: Implementation | undefined,
    logLevel: LogLevel | undefined,
    header: HeaderOf | undefined,
    principal: string | undefined,
  ) {
    this.revision = revision;
    this.capabilities = capabilities;
    this.clientInfo = clientInfo;
    this.logLevel = logLevel;
    this.header = header;
    this.principal = principal;
  }
}

/**
 * The era a message belongs to. `header` is absent on links without headers.
 *
 * A modern `_meta` makes a message modern, whatever its method; else a modern or unknown version in the header does.
 */
export function eraOf(message: Message, header: HeaderOf | undefined): 'modern' | 'legacy' {
  if ((message.kind === 'request' || message.kind === 'notification') && hasModernMeta(message.params)) return 'modern';
  const version = header?.(headerNames.protocolVersion);
  if (version === undefined || trim(version) === '') return 'legacy';
  return wireFor(trim(version))?.facts.era ?? 'modern';
}

function hasModernMeta(params: JsonObject | undefined): boolean {
  const meta = params?.['_meta'];
  return isObject(meta) && metaKeys.protocolVersion in meta;
}

/** Checks one modern request; the caller when all is in order. */
export function gateModern(
  message: { id: RequestId; method: string; params: JsonObject | undefined },
  header: HeaderOf | undefined,
  principal?: string,
): ModernCaller | Refusal {
  const { id, method, params } = message;
  const invalid = (problem: string): Refusal => new Refusal(400, errorCodes.invalidParams, problem, { id });
  const mismatch = (problem: string): Refusal => new Refusal(400, errorCodes.headerMismatch, problem, { id });

  const versionHeader = header?.(headerNames.protocolVersion);
  if (header !== undefined && versionHeader === undefined) {
    return new Refusal(
      400,
      errorCodes.headerMismatch,
      `MCP-Protocol-Version is missing; this server speaks ${revisions.join(', ')}`,
      {
        id,
        data: { supported: revisions },
      },
    );
  }
  const meta = params?.['_meta'];
  if (!isObject(meta)) return invalid('params._meta is missing');
  const version = meta[metaKeys.protocolVersion];
  if (typeof version !== 'string') return invalid(`_meta: ${metaKeys.protocolVersion} must be a string`);
  if (versionHeader !== undefined && versionHeader !== version && trim(versionHeader) !== version) {
    return mismatch('MCP-Protocol-Version differs from the version in _meta');
  }
  const wire = wireFor(version);
  if (wire?.facts.era !== 'modern') return unsupported(id, version);

  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isObject(capabilities)) return invalid(`_meta: ${metaKeys.clientCapabilities} must be an object`);
  const clientInfo = meta[metaKeys.clientInfo];
  if (clientInfo !== undefined && !isImplementation(clientInfo))
    return invalid(`_meta: ${metaKeys.clientInfo} needs name and version`);
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !logLevels.has(logLevel))
    return invalid(`_meta: ${metaKeys.logLevel} is not a log level`);
  const token = meta[metaKeys.progressToken];
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token)) {
    return invalid('_meta: progressToken must be a string or an integer');
  }
  if (header !== undefined) {
    const problem = standardHeaderProblem(wire, method, params, header);
    if (problem !== undefined) return mismatch(problem);
  }
  return new ModernCaller(wire.revision, capabilities, clientInfo, logLevel as LogLevel | undefined, header, principal);
}

function unsupported(id: RequestId, requested: string): Refusal {
  // A modern request cannot be served under a legacy revision, so the list of what it may name leads with the
  // modern ones; the legacy ones tell an older client how to go on.
  const data = { supported: [...revisionsOf('modern'), ...revisionsOf('legacy')], requested };
  return new Refusal(400, errorCodes.unsupportedVersion, `protocol version is not supported here`, { id, data });
}

function standardHeaderProblem(
  wire: Wire,
  method: string,
  params: JsonObject | undefined,
  header: HeaderOf,
): string | undefined {
  const methodHeader = header(headerNames.method);
  if (methodHeader === undefined) return 'Mcp-Method is missing';
  if (methodHeader !== method && trim(methodHeader) !== method) return 'Mcp-Method differs from the method';
  const param = wire.nameParam(method);
  if (param === undefined) return undefined;
  const name = params?.[param];
  const nameHeader = header(headerNames.name);
  if (nameHeader === name) return undefined;
  if (nameHeader === undefined) return typeof name === 'string' ? 'Mcp-Name is missing' : undefined;
  const decoded = decodeHeader(nameHeader);
  if (decoded === undefined) return 'Mcp-Name is not a valid value';
  return decoded === name ? undefined : `Mcp-Name differs from params.${param}`;
}

/** Header rules for notifications are not defined: nothing is demanded, a contradiction is refused. */
export function gateModernNotice(message: { method: string }, header: HeaderOf | undefined): Refusal | undefined {
  const methodHeader = header?.(headerNames.method);
  if (methodHeader === undefined || trim(methodHeader) === message.method) return undefined;
  return new Refusal(400, errorCodes.headerMismatch, 'Mcp-Method differs from the method');
}

function isImplementation(value: unknown): value is Implementation & JsonObject {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

const logLevels: ReadonlySet<unknown> = new Set<LogLevel>([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);
