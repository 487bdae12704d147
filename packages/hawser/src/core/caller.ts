import { errorCodes } from '../model/meta.ts';
import { assumedOverHttp, type Message } from '../wire/index.ts';
import { eraOf, gateModern, type ModernCaller } from './gate.ts';
import { LegacyCaller, readInitialize } from './handshake.ts';
import { Refusal } from './refusal.ts';

/** What is known of whoever is at the other end, before any message. */
export interface LinkCaller {
  /** Whoever has authenticated for the link; undefined for anonymous callers. */
  readonly principal?: string | undefined;
  /** What the legacy session on the link is told apart by. Default: an object of its own. */
  readonly session?: object | undefined;
}

/**
 * Who sends a request on a link without headers, which holds one legacy session at most (basic/versioning
 * "Compatibility Matrix").
 *
 * @param session the one that `initialize` has begun on the link
 */
export function callerOf(
  message: Message & { kind: 'request' },
  session: LegacyCaller | undefined,
  link: LinkCaller = {},
): ModernCaller | LegacyCaller | Refusal {
  const { id, method, params } = message;
  if (eraOf(message, undefined) === 'modern') return gateModern(message, undefined, link);
  if (method !== 'initialize') {
    // Without a session there is nothing legacy about it: the modern gate says what is missing.
    return session ?? gateModern(message, undefined, link);
  }
  if (session !== undefined)
    return new Refusal(400, errorCodes.invalidRequest, 'this session is initialized already', { id });
  const begun = readInitialize(id, params, link.principal);
  if (begun instanceof LegacyCaller && link.session !== undefined) begun.session = link.session;
  return begun;
}

/** The same on a link that only legacy callers use: whatever `_meta` says, a session comes first. */
export function legacyCallerOf(
  { id, method, params }: Message & { kind: 'request' },
  session: LegacyCaller | undefined,
  { principal }: LinkCaller = {},
): LegacyCaller | Refusal {
  const begins = method === 'initialize';
  if (begins && session === undefined) return readInitialize(id, params, principal);
  if (!begins && session !== undefined) return session;
  const problem = begins ? 'this session is initialized already' : 'there is no session: begin with initialize';
  return new Refusal(400, errorCodes.invalidRequest, problem, { id });
}

/** Who sends a request that belongs to no session and has no headers: all there is to know of it is in the request. */
export function loneCallerOf(
  message: Message & { kind: 'request' },
  principal: string | undefined,
): ModernCaller | LegacyCaller | Refusal {
  const { id, method, params } = message;
  if (eraOf(message, undefined) === 'modern') return gateModern(message, undefined, { principal });
  return method === 'initialize'
    ? readInitialize(id, params, principal, 'no session')
    : new LegacyCaller(assumedOverHttp, {}, undefined, principal, 'no session');
}
