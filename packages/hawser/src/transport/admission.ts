import { corsHeaders, isPreflight, preflightHeaders, varyByOrigin } from '../core/cors.ts';
import { gateOrigin, type HeaderOf, type HeadPolicy } from '../core/head.ts';
import { refuse } from './door.ts';
import { HeadedOutgoing } from './headed-outgoing.ts';
import type { HttpOutgoing } from './http-types.ts';

/**
 * The first look at a request, before anybody is asked who it is from: whether it may come here at all. Preflights are
 * answered: browsers send them without credentials.
 *
 * @param methods what the endpoint takes, for preflights
 * @returns where the answer has to go, so that the page that called can read it, an error too; undefined when it has
 *   been given
 */
export function admit(
  policy: HeadPolicy,
  methods: string,
  method: string,
  header: HeaderOf,
  out: HttpOutgoing,
): HttpOutgoing | undefined {
  const stranger = gateOrigin(policy, header);
  if (stranger !== undefined) {
    refuse(out, stranger);
    return undefined;
  }
  const origin = header('origin');
  // Answers to POST are kept by nobody.
  if (origin === undefined) return method === 'POST' ? out : new HeadedOutgoing(out, varyByOrigin);
  if (isPreflight(method, header)) {
    out.send(204, preflightHeaders(origin, methods, header));
    return undefined;
  }
  return new HeadedOutgoing(out, corsHeaders(origin));
}
