/** The HTTP+SSE transport of 2024-11-05, spoken by hand. */
import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { serveLegacySse, type ServeLegacySseOptions } from '../../src/node/legacy-sse.ts';
import type { Service } from '../../src/ports/index.ts';
import { flyNode, type Answer, type Endpoint, type Flight, type Live, type Sent } from './http.ts';

/** A server of its own. Closed when the test is over. */
export async function sseEndpoint(service: Service, options: ServeLegacySseOptions = {}): Promise<Endpoint> {
  const serving = await serveLegacySse(service, options);
  onTestFinished(() => serving.close({ drainMs: 0 }));
  return {
    name: 'sse',
    port: serving.port,
    fly: (sent) => flyNode(serving.port, sent),
    send: async (sent) => (await flyNode(serving.port, sent).head).complete(),
    get open() {
      return serving.open;
    },
    close: (given = { drainMs: 0 }) => serving.close(given),
  };
}

/** How a client asks for the stream. */
export const streamOf = (headers: Sent['headers'] = {}, path = '/sse'): Sent => ({
  method: 'GET',
  path,
  headers: { accept: 'text/event-stream', ...headers },
});

/** A client that has its stream. */
export class SseClient {
  readonly live: Live;
  /** Where it posts. */
  readonly path: string;
  readonly #endpoint: Endpoint;
  readonly #flight: Flight;
  readonly #headers: Sent['headers'];

  constructor(endpoint: Endpoint, flight: Flight, live: Live, path: string, headers: Sent['headers']) {
    this.#endpoint = endpoint;
    this.#flight = flight;
    this.live = live;
    this.path = path;
    this.#headers = headers;
  }

  /** A message to post, or whatever else the body is. */
  sent(body: unknown, headers: Sent['headers'] = {}): Sent {
    return { path: this.path, headers: { 'content-type': 'application/json', ...this.#headers, ...headers }, body };
  }

  post(body: unknown, headers?: Sent['headers']): Promise<Answer> {
    return this.#endpoint.send(this.sent(body, headers));
  }

  /** Posts a message, which has to be taken. */
  async say(message: JsonObject): Promise<void> {
    const { status, text } = await this.post({ jsonrpc: '2.0', ...message });
    expect({ status, text }).toEqual({ status: 202, text: '' });
  }

  /** The next message of the stream; undefined when it has ended. */
  next(): Promise<JsonObject | undefined> {
    return this.live.message();
  }

  /** Sends a request, and reads one message. */
  async ask(id: string | number, method: string, params?: JsonObject): Promise<JsonObject | undefined> {
    await this.say({ id, method, ...(params && { params }) });
    return this.next();
  }

  /** The handshake; gives what the server said of itself. */
  async initialize(version = '2024-11-05', capabilities: JsonObject = {}): Promise<JsonObject> {
    const clientInfo = { name: 'by hand', version: '1' };
    const reply = await this.ask('i', 'initialize', { protocolVersion: version, capabilities, clientInfo });
    await this.say({ method: 'notifications/initialized' });
    expect(reply).toMatchObject({ id: 'i', result: {} });
    return reply?.['result'] as JsonObject;
  }

  call(id: string | number, name: string, args: JsonObject = {}): Promise<JsonObject | undefined> {
    return this.ask(id, 'tools/call', { name, arguments: args });
  }

  /** Breaks its stream off. */
  leave(): void {
    this.#flight.leave();
  }
}

/** Opens a stream and reads where to post. */
export async function openSse(endpoint: Endpoint, headers: Sent['headers'] = {}, path?: string): Promise<SseClient> {
  const flight = endpoint.fly(streamOf(headers, path));
  const live = await flight.head;
  expect(live.status).toBe(200);
  const [, where] = /^event: endpoint\ndata: (\S+)$/.exec((await live.block()) ?? '') ?? [];
  if (where === undefined) throw new Error('the first event is not the endpoint');
  return new SseClient(endpoint, flight, live, where, headers);
}
