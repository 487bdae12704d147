/** The legacy `initialize`, as a server reads it (2025-11-25 basic/lifecycle). */
import { isObject, type JsonObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type { ClientCapabilities, Implementation, LogLevel, RequestId, Revision } from '../model/types.ts';
import type { Caller, Identity } from '../ports/index.ts';
import { newest } from '../wire/index.ts';
import { negotiated } from './era.ts';
import type { HeaderOf } from './head.ts';
import { Refusal } from './refusal.ts';

/** Who is at the other end of a legacy session, or sends a request where no sessions are kept. */
export class LegacyCaller implements Caller {
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  readonly principal: string | undefined;
  /** Its own, unless whoever keeps the session has another; undefined where no sessions are kept. */
  session: object | undefined;
  scopes: readonly string[] | undefined = undefined;
  claims: Readonly<Record<string, unknown>> | undefined = undefined;
  logLevel: LogLevel | undefined = undefined;
  header: HeaderOf | undefined = undefined;

  constructor(
    revision: Revision,
    capabilities: ClientCapabilities,
    clientInfo: Implementation | undefined,
    principal: string | undefined,
    kept: 'session' | 'no session' = 'session',
  ) {
    this.revision = revision;
    this.capabilities = capabilities;
    this.clientInfo = clientInfo;
    this.principal = principal;
    this.session = kept === 'session' ? this : undefined;
  }

  /** The same in one request of the session: tokens change, and so may what they allow. */
  in(header: HeaderOf, { scopes, claims }: Identity): LegacyCaller {
    const { revision, capabilities, clientInfo, principal } = this;
    const caller = new LegacyCaller(revision, capabilities, clientInfo, principal, 'no session');
    caller.session = this.session;
    caller.logLevel = this.logLevel;
    caller.header = header;
    caller.scopes = scopes;
    caller.claims = claims;
    return caller;
  }
}

/**
 * Reads the params of `initialize`. A version we do not speak is answered with our newest legacy one; a modern one
 * too, since a handshake never leads to a modern revision.
 */
export function readInitialize(
  id: RequestId,
  params: JsonObject | undefined,
  principal?: string,
  kept: 'session' | 'no session' = 'session',
): LegacyCaller | Refusal {
  const invalid = (problem: string): Refusal =>
    new Refusal(400, errorCodes.invalidParams, `initialize: ${problem}`, { id });
  const version = params?.['protocolVersion'];
  if (typeof version !== 'string') return invalid('protocolVersion must be a string');
  const capabilities = params?.['capabilities'] ?? {};
  if (!isObject(capabilities)) return invalid('capabilities must be an object');
  const info = params?.['clientInfo'];
  const named = isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
  return new LegacyCaller(
    negotiated(version) ?? newest.legacy,
    capabilities,
    named ? (info as JsonObject & Implementation) : undefined,
    principal,
    kept,
  );
}
