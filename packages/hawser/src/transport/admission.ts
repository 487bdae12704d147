import { corsHeaders, isPreflight, preflightHeaders, varyByOrigin } from '../core/cors.ts';
import { gateOrigin, type HeaderOf, type HeadPolicy } from '../core/head.ts';
import { errorCodes } from '../model/meta.ts';
import { errorText } from '../wire/index.ts';
import type { Closing } from './closing.ts';
import { refuse, type DoorSettings } from './door.ts';
import { HeadedOutgoing } from './headed-outgoing.ts';
import { jsonHeaders, type HttpIncoming, type HttpOutgoing } from './http-types.ts';

/** What the ways into a door have in common. */
export interface Reception {
  readonly settings: DoorSettings;
  readonly closing: Closing;
  /** What the endpoint takes, for preflights. */
  readonly methods: string;
}

/**
 * Takes a request in: whoever may not come is refused, and what breaks is answered for. The door waits for it when it
 * closes. Never rejects.
 */
export async function receive(
  { settings, closing, methods }: Reception,
  request: HttpIncoming,
  out: HttpOutgoing,
  serve: (header: HeaderOf, way: HttpOutgoing) => unknown,
): Promise<void> {
  const header = (name: string): string | undefined => request.header(name);
  let way: HttpOutgoing | undefined = out;
  closing.enter();
  try {
    way = admit(settings.policy, methods, request.method, header, out);
    if (way !== undefined) await serve(header, way);
  } catch (error) {
    settings.logger.error('an HTTP request broke', error);
    way?.send(500, jsonHeaders, errorText(undefined, { code: errorCodes.internal, message: 'internal error' }));
  } finally {
    closing.leave();
  }
}

/** Answers a request for a path where nothing is, so that pages that may call can read that too. */
export function elsewhere({ policy }: DoorSettings, request: HttpIncoming, out: HttpOutgoing): void {
  const way = admit(policy, 'GET, POST', request.method, (name) => request.header(name), out);
  way?.send(404, { 'content-type': 'text/plain' }, 'not found\n');
}

/**
 * The first look at a request, before anybody is asked who it is from: whether it may come here at all. Preflights are
 * answered: browsers send them without credentials.
 *
 * @param methods what the endpoint takes, for preflights
 * @returns where the answer has to go, so that the page that called can read it, an error too; undefined when it has
 *   been given
 */
function admit(
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
