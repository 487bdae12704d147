/**
 * The server's first look at a message: which era it belongs to, and whether a modern one is in order. A table of
 * checks over headers and body, in the order that satisfies every rule of MCP 2026-07-28 (basic/transports/
 * streamable-http "Server Validation", basic/versioning "Backward Compatibility"). Checks that need the server's
 * registry (unknown methods, `Mcp-Param-*`, capabilities) follow in the server's dispatch.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { logLevels } from '../model/log-levels.ts';
import { errorCodes, metaKeys } from '../model/meta.ts';
import type { ClientCapabilities, Implementation, LogLevel, RequestId, Revision } from '../model/types.ts';
import type { Caller, Identity } from '../ports/index.ts';
import { decodeHeader, headerNames, revisions, trim, wireFor, type Message, type Wire } from '../wire/index.ts';
import type { HeaderOf } from './head.ts';
import { Refusal } from './refusal.ts';

/** Nobody who has said who it is. */
export const anonymous: Identity = {};

/** Who sent a modern request: read anew from every request, never remembered. */
export class ModernCaller implements Caller {
  readonly principal: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly claims: Readonly<Record<string, unknown>> | undefined;
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
    { principal, scopes, claims }: Identity = anonymous,
  ) {
    this.revision = revision;
    this.capabilities = capabilities;
    this.clientInfo = clientInfo;
    this.logLevel = logLevel;
    this.header = header;
    this.principal = principal;
    this.scopes = scopes;
    this.claims = claims;
  }
}

/**
 * The era a message belongs to. `header` is absent on links without headers.
 *
 * A version in `_meta` makes a message modern, whatever its method; else a modern or unknown version in the header
 * does. A legacy version in `_meta` that no header contradicts says nothing but that the caller is a legacy one.
 */
export function eraOf(message: Message, header: HeaderOf | undefined): 'modern' | 'legacy' {
  const inHeader = header?.(headerNames.protocolVersion);
  if (message.kind === 'request' || message.kind === 'notification') {
    const meta = message.params?.['_meta'];
    if (isObject(meta) && metaKeys.protocolVersion in meta) {
      const alone = header !== undefined && inHeader === undefined;
      return alone && eraNamed(meta[metaKeys.protocolVersion]) === 'legacy' ? 'legacy' : 'modern';
    }
  }
  if (inHeader === undefined) return 'legacy';
  const version = trim(inHeader);
  if (version === '') return 'legacy';
  return eraNamed(version) ?? (isLegacyAtHeart(message, header) ? 'legacy' : 'modern');
}

/** The handshake settles versions, so one from the future begins it like any other; and sessions are legacy. */
function isLegacyAtHeart(message: Message, header: HeaderOf | undefined): boolean {
  if (message.kind === 'request' && message.method === 'initialize') return true;
  return header?.(headerNames.session) !== undefined;
}

function eraNamed(version: unknown): 'modern' | 'legacy' | undefined {
  return typeof version === 'string' ? wireFor(version)?.facts.era : undefined;
}

/**
 * Checks one modern request; the caller when all is in order.
 *
 * @param served what is named to callers who speak something else
 */
export function gateModern(
  message: { id: RequestId; method: string; params: JsonObject | undefined },
  header: HeaderOf | undefined,
  identity?: Identity,
  served: readonly Revision[] = revisions,
): ModernCaller | Refusal {
  const { id, method, params } = message;
  const invalid = (problem: string): Refusal => new Refusal(400, errorCodes.invalidParams, problem, { id });
  const mismatch = (problem: string): Refusal => new Refusal(400, errorCodes.headerMismatch, problem, { id });

  const versionHeader = header?.(headerNames.protocolVersion);
  if (header !== undefined && versionHeader === undefined) {
    return new Refusal(
      400,
      errorCodes.headerMismatch,
      `MCP-Protocol-Version is missing; this server speaks ${served.join(', ')}`,
      {
        id,
        data: { supported: served },
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
  if (wire?.facts.era !== 'modern') return unsupported(id, version, served);

  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isObject(capabilities)) return invalid(`_meta: ${metaKeys.clientCapabilities} must be an object`);
  const clientInfo = meta[metaKeys.clientInfo];
  if (clientInfo !== undefined && !isImplementation(clientInfo))
    return invalid(`_meta: ${metaKeys.clientInfo} needs name and version`);
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !levels.has(logLevel)) return invalid(`_meta: ${metaKeys.logLevel} is not a log level`);
  const token = meta[metaKeys.progressToken];
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token)) {
    return invalid('_meta: progressToken must be a string or an integer');
  }
  if (header !== undefined) {
    const problem = standardHeaderProblem(wire, method, params, header);
    if (problem !== undefined) return mismatch(problem);
  }
  return new ModernCaller(wire.revision, capabilities, clientInfo, logLevel as LogLevel | undefined, header, identity);
}

function unsupported(id: RequestId | undefined, requested: string, supported: readonly Revision[]): Refusal {
  // A modern request cannot be served under a legacy revision, but those tell an older client how to go on. The modern
  // ones, which are newer, come first.
  const data = { supported, requested };
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
  if (!wire.has(method) && !visible.test(methodHeader)) return 'Mcp-Method is not a valid value';
  const param = wire.nameParam(method);
  if (param === undefined) return undefined;
  const name = params?.[param];
  const nameHeader = header(headerNames.name);
  if (nameHeader === undefined) return typeof name === 'string' ? 'Mcp-Name is missing' : undefined;
  if (nameHeader === name && plainName.test(nameHeader)) return undefined;
  const decoded = decodeHeader(nameHeader);
  if (decoded === undefined) return 'Mcp-Name is not a valid value';
  return decoded === name ? undefined : `Mcp-Name differs from params.${param}`;
}

/** Names that stand in a header as they are: nearly all do, and need no decoding. */
const plainName = /^[\w./:-]+$/;
const visible = /^[\x20-\x7e\t]*$/;

/** Header rules for notifications are not defined: nothing is demanded, a contradiction is refused. */
export function gateModernNotice(
  message: { method: string; params?: JsonObject | undefined },
  header: HeaderOf | undefined,
  served: readonly Revision[] = revisions,
): Refusal | undefined {
  const mismatch = (problem: string): Refusal => new Refusal(400, errorCodes.headerMismatch, problem);
  const methodHeader = header?.(headerNames.method);
  if (methodHeader !== undefined && trim(methodHeader) !== message.method)
    return mismatch('Mcp-Method differs from the method');
  const versionHeader = header?.(headerNames.protocolVersion);
  if (versionHeader === undefined) return undefined;
  const version = trim(versionHeader);
  const meta = message.params?.['_meta'];
  const named = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  if (named !== undefined && named !== version)
    return mismatch('MCP-Protocol-Version differs from the version in _meta');
  return eraNamed(version) === 'modern' ? undefined : unsupported(undefined, version, served);
}

function isImplementation(value: unknown): value is Implementation & JsonObject {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

const levels: ReadonlySet<unknown> = new Set(logLevels);
