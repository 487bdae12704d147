import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';

/** Where to listen. */
export interface ListenOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Address to bind. Default 127.0.0.1; another one needs `allowedHosts`. */
  host?: string;
}

/** A listener at work. */
export interface Listening {
  /** Scheme, host and port, to put a path behind. */
  readonly origin: string;
  readonly port: number;
  /** Stops listening, has `end` done, and drops open connections a turn later: what was written then is out. */
  close(end: () => Promise<void>): Promise<void>;
}

/**
 * Binds a listener.
 *
 * @throws ArgumentError when it would be reachable from elsewhere without `allowedHosts`
 */
export async function listen(
  listener: RequestListener,
  { port = 0, host = '127.0.0.1', allowedHosts }: ListenOptions & { allowedHosts?: readonly string[] | 'any' },
): Promise<Listening> {
  const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i.test(host);
  if (!loopback && allowedHosts === undefined) {
    throw new ArgumentError(
      `serving on ${host} needs allowedHosts: the names it is reached by, or 'any' behind a proxy that checks them`,
    );
  }
  const http = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `http://${name}:${bound}`,
    port: bound,
    async close(end) {
      const stopped = new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
      await end();
      await systemClock.turn();
      http.closeAllConnections();
      await stopped;
    },
  };
}

/** Whether a request target is for a path, with or without a slash at its end. */
export function isAt(path: string): (target: string | undefined) => boolean {
  const paths = new Set([path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]);
  return (target = '') => paths.has(target.split('?', 1)[0] ?? '');
}
