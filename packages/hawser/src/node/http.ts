import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Service } from '../ports/index.ts';
import type { DoorSettings } from '../transport/door.ts';
import { HttpDoor } from '../transport/http-server.ts';
import { NodeIncoming } from './http-incoming.ts';
import { handlerSettings, servingSettings, type NodeHandlerOptions, type ServeHttpOptions } from './http-options.ts';
import { NodeOutgoing } from './http-outgoing.ts';
import { handlerOf, isAt, listen, type HttpServing, type NodeHandler } from './listening.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

/**
 * A request handler for `node:http` and what is built on it, such as Express. It takes every path it is given.
 *
 * ```ts
 * http.createServer(nodeHandler(server)).listen(3000, '127.0.0.1')
 * ```
 */
export function nodeHandler(service: Service, options: NodeHandlerOptions = {}): NodeHandler {
  const door = doorFor(service, handlerSettings(options));
  return handlerOf(
    door,
    (request, response) => void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door)),
  );
}

function doorFor(service: Service, settings: DoorSettings): HttpDoor {
  keepSuspensions();
  warnOfUnheard();
  return new HttpDoor(service, settings);
}

/**
 * Serves over HTTP on this machine.
 *
 * @throws ArgumentError when it would be reachable from elsewhere without `allowedHosts`, and for options that there
 *   are not or that cannot work
 */
export async function serveHttp(service: Service, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const { settings, ...address } = servingSettings(options);
  const door = doorFor(service, settings);
  const atPath = isAt(address.path);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const incoming = new NodeIncoming(request);
    const outgoing = new NodeOutgoing(response, door);
    if (atPath(request.url)) void door.receive(incoming, outgoing);
    else door.elsewhere(incoming, outgoing);
  };
  return listen(door, listener, { ...settings, ...address });
}
