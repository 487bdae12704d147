import { errorCodes } from '../model/meta.ts';
import type { Message } from '../wire/index.ts';
import { eraOf, gateModern, type ModernCaller } from './gate.ts';
import { readInitialize, type LegacyCaller } from './handshake.ts';
import { Refusal } from './refusal.ts';

/**
 * Who sends a request on a link without headers, which holds one legacy session at most (basic/versioning
 * "Compatibility Matrix").
 *
 * @param session the one that `initialize` has begun on the link
 */
export function callerOf(
  message: Message & { kind: 'request' },
  session: LegacyCaller | undefined,
): ModernCaller | LegacyCaller | Refusal {
  const { id, method, params } = message;
  if (eraOf(message, undefined) === 'modern') return gateModern(message, undefined);
  if (method === 'initialize') {
    if (session === undefined) return readInitialize(id, params);
    return new Refusal(400, errorCodes.invalidRequest, 'this session is initialized already', { id });
  }
  // Without a session there is nothing legacy about it: the modern gate says what is missing.
  return session ?? gateModern(message, undefined);
}

/**
 * The same on a link that only legacy callers use: whatever `_meta` says, a session comes first.
 *
 * @param principal whoever has authenticated for the link
 */
export function legacyCallerOf(
  { id, method, params }: Message & { kind: 'request' },
  session: LegacyCaller | undefined,
  principal: string | undefined,
): LegacyCaller | Refusal {
  const begins = method === 'initialize';
  if (begins && session === undefined) return readInitialize(id, params, principal);
  if (!begins && session !== undefined) return session;
  const problem = begins ? 'this session is initialized already' : 'there is no session: begin with initialize';
  return new Refusal(400, errorCodes.invalidRequest, problem, { id });
}
