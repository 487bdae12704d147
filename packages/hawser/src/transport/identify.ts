import { isObject } from '../base/json.ts';
import type { HeaderOf } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Authenticate, Identity, Refused } from '../ports/index.ts';
import type { HttpIncoming } from './http-types.ts';

/**
 * Who sends a request, as the operator's hook says, or why it is refused.
 *
 * @throws whatever the hook throws; TypeError when it gives neither
 */
export async function identify(
  authenticate: Authenticate,
  { method, url }: HttpIncoming,
  header: HeaderOf,
): Promise<Identity | Refusal> {
  const judged = await authenticate({ method, url, header });
  // Untyped hooks may give anything, and a caller must not be anonymous because of that.
  const given: unknown = judged;
  if (!isObject(given)) throw new TypeError('authenticate must give { principal }, or { status } to refuse');
  return 'status' in judged ? refused(judged) : judged;
}

function refused({ status, message, headers = {} }: Refused): Refusal {
  const said = message ?? (status === 401 ? 'authentication is required' : 'not allowed');
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  // RFC 9110, 11.6.1: a 401 says how to authenticate.
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return new Refusal(status, errorCodes.invalidRequest, said, {
    headers: { ...challenge, ...Object.fromEntries(named) },
  });
}
