/** A server of HTTP by hand: it records what comes and answers what the test says, wrong things included. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { isObject, parseJson, type JsonObject } from '../../src/base/json.ts';
import type { RpcErrorObject } from '../../src/base/errors.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import type { Revision } from '../../src/model/types.ts';

/** A request as it came. */
export interface Seen {
  readonly http: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The JSON-RPC message in it; empty when there is none. */
  readonly message: JsonObject;
  /** Its JSON-RPC method; for a GET or DELETE the HTTP method, for a response `response`. */
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
}

/** One request and the ways to answer it. */
export class Turn {
  readonly seen: Seen;
  readonly response: ServerResponse;
  readonly #request: IncomingMessage;
  /** Resolves when the client has gone away, or the answer is through. */
  readonly closed: Promise<void>;

  constructor(seen: Seen, request: IncomingMessage, response: ServerResponse) {
    this.seen = seen;
    this.#request = request;
    this.response = response;
    this.closed = new Promise((resolve) => {
      if (response.closed || request.socket.destroyed) resolve();
      else response.on('close', resolve);
    });
  }

  get id(): unknown {
    return this.seen.message['id'];
  }

  get socket(): Socket {
    return this.#request.socket;
  }

  /** Sends any status, headers and body. */
  send(status: number, body: string | Uint8Array = '', headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers);
    this.response.end(body);
  }

  json(value: unknown, status = 200, headers: Record<string, string> = {}): void {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    this.send(status, body, { 'content-type': 'application/json', ...headers });
  }

  message(result: unknown): JsonObject {
    return { jsonrpc: '2.0', id: this.id, result };
  }

  reply(result: unknown, headers: Record<string, string> = {}): void {
    this.json(this.message(result), 200, headers);
  }

  fail(error: RpcErrorObject, status = 200, headers: Record<string, string> = {}): void {
    this.json({ jsonrpc: '2.0', id: this.id, error }, status, headers);
  }

  /** Begins a stream. */
  stream(headers: Record<string, string> = {}): this {
    this.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    this.response.flushHeaders();
    return this;
  }

  /** Writes an event with a message. Resolves when it has been handed to the socket. */
  event(message: unknown): Promise<void> {
    return this.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.response.write(bytes, () => resolve());
    });
  }

  end(): void {
    this.response.end();
  }

  /** Answers in a stream of one event. */
  streamed(result: unknown): void {
    this.stream();
    void this.event(this.message(result));
    this.end();
  }

  progress(progress: number, total?: number): Promise<void> {
    const progressToken = this.seen.meta['progressToken'];
    return this.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total } });
  }

  /** Breaks the connection off (RST). */
  reset(): void {
    this.socket.resetAndDestroy();
  }
}

/** What is done with a request; a value that is returned is its result, unless it is the turn itself. */
export type Answering = (turn: Turn) => unknown;

/** A server of HTTP under the test's hand. */
export class HttpPeer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: { matches: (turn: Turn) => boolean; resolve: (turn: Turn) => void }[] = [];
  readonly #taken = new Set<Turn>();
  readonly turns: Turn[] = [];
  #connections = 0;
  #quiet: (() => void)[] = [];

  constructor(answer: Answering) {
    this.#server = createServer((request, response) => void this.#receive(request, response, answer));
    this.#server.on('connection', (socket) => {
      this.#connections++;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) for (const resolve of this.#quiet.splice(0)) resolve();
      });
    });
    this.#server.on('clientError', (_error, socket) => void socket.destroy());
  }

  listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** All that came, in order. */
  get seen(): Seen[] {
    return this.turns.map((turn) => turn.seen);
  }

  /** Methods of all that came, in order. */
  get methods(): string[] {
    return this.seen.map((seen) => seen.method);
  }

  /** What came with this method. */
  of(method: string): Seen[] {
    return this.seen.filter((seen) => seen.method === method);
  }

  /** How many connections were ever made. */
  get connections(): number {
    return this.#connections;
  }

  /** How many connections are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Resolves when no connection is open. */
  get quiet(): Promise<void> {
    if (this.#sockets.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  /** The next request with this method that nobody has taken, come or to come. */
  next(method: string): Promise<Turn> {
    const matches = (turn: Turn): boolean => turn.seen.method === method;
    const turn = this.turns.find((each) => matches(each) && !this.#taken.has(each));
    if (turn !== undefined) {
      this.#taken.add(turn);
      return Promise.resolve(turn);
    }
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  async #receive(request: IncomingMessage, response: ServerResponse, answer: Answering): Promise<void> {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const turn = new Turn(seenOf(request, Buffer.concat(chunks).toString('utf8')), request, response);
    this.turns.push(turn);
    const at = this.#waiting.findIndex(({ matches }) => matches(turn));
    if (at >= 0) {
      this.#taken.add(turn);
      this.#waiting.splice(at, 1)[0]?.resolve(turn);
    }
    const result = await answer(turn);
    if (result !== undefined && result !== turn) turn.reply(result);
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

function seenOf(request: IncomingMessage, text: string): Seen {
  const parsed = parseJson(text);
  const message = isObject(parsed) ? parsed : {};
  const http = request.method ?? '';
  const { method } = message;
  const params = isObject(message['params']) ? message['params'] : {};
  const what = http !== 'POST' ? http : typeof method === 'string' ? method : 'response';
  return {
    http,
    path: request.url ?? '',
    headers: request.headers as Record<string, string | undefined>,
    text,
    message,
    method: what,
    params,
    meta: isObject(params['_meta']) ? params['_meta'] : {},
  };
}

/** Starts a server; it is closed when the test is over. */
export async function httpPeer(answer: Answering): Promise<HttpPeer> {
  const peer = new HttpPeer(answer);
  await peer.listen();
  onTestFinished(() => peer.close());
  return peer;
}

/** The result of `server/discover`. */
export const described = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'peer', version: '1' } },
};

/** The result of `initialize`. */
export const begun = (more: JsonObject = {}): JsonObject => ({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'peer', version: '1' },
  ...more,
});

/** Answers `initialize`: the sessions that are begun are `s-1`, `s-2` and so on. */
export function numberedSessions(more?: JsonObject): Answering {
  let last = 0;
  return (turn) => turn.reply(begun(more), { 'mcp-session-id': `s-${++last}` });
}

/** The result of a tool call, legacy. */
export const told = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });

/** The same, modern. */
export const said = (text: string): JsonObject => ({ resultType: 'complete', ...told(text) });

/** A page of tools by name. */
export const listed = (...names: string[]): JsonObject => ({
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
});

/** A modern server: what has no handler of its own is answered as by a decent one. */
export function modernPeer(handlers: Readonly<Record<string, Answering>> = {}): Promise<HttpPeer> {
  return httpPeer((turn) => {
    const { method } = turn.seen;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (handler !== undefined) return handler(turn);
    if (method === 'server/discover') return described;
    if (method === 'tools/list') return listed('echo');
    if (method === 'tools/call') return said('hello');
    turn.fail({ code: -32601, message: 'method not found' }, 404);
    return undefined;
  });
}

/** Settings of {@link legacyPeer}. */
export interface LegacyPeerOptions {
  version?: string;
  /** The session id it gives; `null`: none. */
  session?: string | null;
  handlers?: Readonly<Record<string, Answering>>;
}

/** A legacy server with sessions and without a stream of its own. */
export function legacyPeer({ version, session = 's-1', handlers = {} }: LegacyPeerOptions = {}): Promise<HttpPeer> {
  return httpPeer((turn) => {
    const { method, http, params } = turn.seen;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (handler !== undefined) return handler(turn);
    if (http === 'GET') return turn.send(405, '', { allow: 'POST, DELETE' });
    if (http === 'DELETE') return turn.send(200);
    if (method === 'initialize') {
      const result = begun({ protocolVersion: version ?? params['protocolVersion'] });
      return turn.reply(result, session === null ? {} : { 'mcp-session-id': session });
    }
    if (turn.id === undefined || method === 'response') return turn.send(202);
    if (method === 'ping') return {};
    if (method === 'tools/list') return { tools: listed('echo')['tools'] };
    if (method === 'tools/call') return told('hello');
    return turn.fail({ code: -32601, message: 'Method not found' });
  });
}

/** Both ways to the network. */
export const ports: readonly { readonly port: string; readonly options: ConnectOptions }[] = [
  { port: 'undici', options: {} },
  { port: 'fetch', options: { fetch: (input, init) => fetch(input, init) } },
];

const streamable: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25'];

/** Both ways in every legacy revision that has Streamable HTTP. */
export const legacyPorts = ports.flatMap((way) => streamable.map((revision) => ({ ...way, revision })));
