/** A door without a platform: legacy sessions and all, but no socket. */
import type { Service } from '../../src/ports/index.ts';
import { doorSettings, type DoorOptions } from '../../src/transport/door-options.ts';
import { HttpDoor } from '../../src/transport/http-server.ts';
import { WebOutgoing } from '../../src/transport/web-outgoing.ts';
import { flyWeb, type Endpoint } from './http.ts';

/** The door as an endpoint. */
export function doorEndpoint(service: Service, options: DoorOptions = {}): Endpoint {
  const known = Object.fromEntries(Object.keys(options).map((name) => [name, true as const]));
  const settings = doorSettings(options, {
    what: 'the door',
    known,
    legacy: ['sessions', 'stateless', 'none'],
    allowedHosts: 'any',
  });
  const door = new HttpDoor(service, settings);
  const serve = (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      const { method, url, headers } = request;
      const header = (name: string): string | undefined => headers.get(name) ?? undefined;
      void door.receive(
        { method, url, header, text: () => request.text() },
        new WebOutgoing(request.signal, resolve, { ...settings, keepAliveMs: Infinity, stalledMs: Infinity }),
      );
    });
  return {
    name: 'door',
    port: 0,
    fly: (sent) => flyWeb(serve, sent),
    send: async (sent) => (await flyWeb(serve, sent).head).complete(),
    get open() {
      return door.open;
    },
    close: (given = { drainMs: 0 }) => door.close(given),
  };
}
