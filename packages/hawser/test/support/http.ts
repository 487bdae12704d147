/** HTTP spoken by hand to the doors of a server: every header is as the test says, and nobody is polite. */
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect as connectSocket, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { nodeHandler, serveHttp } from '../../src/node/http.ts';
import type { NodeHandlerOptions, ServeHttpOptions } from '../../src/node/http-options.ts';
import type { NodeHandler } from '../../src/node/listening.ts';
import type { Service } from '../../src/ports/index.ts';
import type { CloseOptions } from '../../src/transport/closing.ts';
import type { OpenCounts } from '../../src/transport/http-server.ts';
import { webDoor, type WebDoorOptions } from '../../src/transport/web.ts';

/** A request to send. Strings and bytes go as they are, any other body as its JSON text. */
export interface Sent {
  method?: string | undefined;
  path?: string | undefined;
  headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  body?: unknown;
}

/** An answer whose head has come, and whose body may still be coming. */
export class Live {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #unread = '';

  constructor(status: number, headers: Readonly<Record<string, string>>, body: AsyncIterable<Uint8Array>) {
    this.status = status;
    this.headers = headers;
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** The next block of a stream, comments included; undefined when the stream has ended. */
  async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#unread.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#unread.slice(0, end);
        this.#unread = this.#unread.slice(end + 2);
        return block;
      }
      const chunk = await this.#chunks.next();
      if (chunk.done === true) {
        const rest = this.#unread;
        this.#unread = '';
        return rest === '' ? undefined : rest;
      }
      this.#unread += this.#decoder.decode(chunk.value, { stream: true });
    }
  }

  /** The next message of a stream; undefined when the stream has ended. */
  async message(): Promise<JsonObject | undefined> {
    for (;;) {
      const block = await this.block();
      if (block === undefined) return undefined;
      const message = messageOf(block);
      if (message !== undefined) return message;
    }
  }

  /** Waits for the end of the body. */
  async complete(): Promise<Answer> {
    let text = this.#unread;
    for (;;) {
      const chunk = await this.#chunks.next();
      if (chunk.done === true) break;
      text += this.#decoder.decode(chunk.value, { stream: true });
    }
    return new Answer(this.status, this.headers, text);
  }
}

function messageOf(block: string): JsonObject | undefined {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart());
  // Events without data are no messages.
  return data.join('') === '' ? undefined : (JSON.parse(data.join('\n')) as JsonObject);
}

/** A complete answer. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;

  constructor(status: number, headers: Readonly<Record<string, string>>, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get type(): string | undefined {
    return this.headers['content-type'];
  }

  /** The body as JSON. */
  get json(): JsonObject {
    return JSON.parse(this.text) as JsonObject;
  }

  /** All messages of the answer: those of the stream, or the one of a JSON body. */
  get messages(): JsonObject[] {
    if (this.type !== 'text/event-stream') return [this.json];
    return this.text.split('\n\n').flatMap((block) => {
      const message = messageOf(block);
      return message === undefined ? [] : [message];
    });
  }

  /** The response to the request. */
  get reply(): JsonObject {
    return this.messages.at(-1) ?? {};
  }

  get result(): JsonObject {
    expect(this.reply, this.text).toHaveProperty('result');
    return this.reply['result'] as JsonObject;
  }

  get error(): { code: number; message: string; data?: JsonObject } {
    expect(this.reply, this.text).toHaveProperty('error');
    return this.reply['error'] as { code: number; message: string; data?: JsonObject };
  }

  /** Text of the first content block of a tool's result. */
  get content(): string {
    const [block] = this.result['content'] as { text: string }[];
    return block?.text ?? '';
  }
}

/** A request under way. */
export interface Flight {
  /** Resolves with the head of the answer. */
  readonly head: Promise<Live>;
  /** Goes away, as a client does that gives up. */
  leave(): void;
}

/** Some door of a server, ready for requests. */
export interface Endpoint {
  readonly name: string;
  /** Where it listens; 0 when it does not. */
  readonly port: number;
  fly(sent: Sent): Flight;
  /** Sends a request and waits for the whole answer. */
  send(sent: Sent): Promise<Answer>;
  /** What is open at the door. */
  readonly open: OpenCounts;
  /** Closes it; unless told otherwise, without waiting for what runs. */
  close(options?: CloseOptions): Promise<void>;
}

const now: CloseOptions = { drainMs: 0 };

function bodyOf(body: unknown): string | Uint8Array | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** The Node door, behind a socket on this machine. Closed when the test is over. */
export async function nodeEndpoint(service: Service, options: ServeHttpOptions = {}): Promise<Endpoint> {
  const serving = await serveHttp(service, options);
  onTestFinished(() => serving.close(now));
  return {
    name: 'node',
    port: serving.port,
    get open() {
      return serving.open;
    },
    fly: (sent) => flyNode(serving.port, sent),
    send: (sent) => complete(flyNode(serving.port, sent)),
    close: (given = now) => serving.close(given),
  };
}

/** The Node door as a handler in somebody's own server; `watch` sees each request before the door does. */
export async function mountedEndpoint(
  service: Service,
  options: NodeHandlerOptions,
  watch: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Endpoint> {
  const handler = nodeHandler(service, options);
  const http = createServer((request, response) => {
    void Promise.resolve(watch(request, response)).then(() => handler(request, response));
  });
  return listening(http, handler);
}

/** Somebody's own server, on a free port of this machine. Closed when the test is over. */
export async function listening(http: Server, handler: Pick<NodeHandler, 'open' | 'close'>): Promise<Endpoint> {
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  const close = async (given = now): Promise<void> => {
    await handler.close(given);
    http.closeAllConnections();
    await new Promise((resolve) => {
      http.close(resolve);
    });
  };
  onTestFinished(() => close());
  return {
    name: 'mounted',
    port,
    get open() {
      return handler.open;
    },
    fly: (sent) => flyNode(port, sent),
    send: (sent) => complete(flyNode(port, sent)),
    close,
  };
}

/** Sends a request to a port of this machine, on a connection of its own unless there is an agent. */
export function flyNode(
  port: number,
  { method = 'POST', path = '/mcp', headers = {}, body }: Sent,
  agent: Agent | false = false,
): Flight {
  const text = bodyOf(body);
  const given: Record<string, string | string[]> = agent === false ? { connection: 'close' } : {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) given[name] = typeof value === 'string' ? value : [...value];
  }
  const request = httpRequest({ port, host: '127.0.0.1', method, path, headers: given, agent });
  const head = new Promise<Live>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      const seen: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers)) seen[name] = String(value);
      resolve(new Live(response.statusCode ?? 0, seen, response as AsyncIterable<Uint8Array>));
    });
  });
  head.catch(() => undefined);
  request.end(text);
  return { head, leave: () => void request.destroy() };
}

/** Sends requests one after the other on one connection. */
export function oneConnection(endpoint: Endpoint): (sent: Sent) => Promise<Answer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (sent) => complete(flyNode(endpoint.port, sent, agent));
}

/** The web door: no socket, `Request` in and `Response` out. */
export function webEndpoint(service: Service, options: WebDoorOptions = {}): Endpoint {
  const door = webDoor(service, options);
  return {
    name: 'web',
    port: 0,
    fly: (sent) => flyWeb(door, sent),
    send: (sent) => complete(flyWeb(door, sent)),
    get open() {
      return door.open;
    },
    close: (given = now) => door.close(given),
  };
}

/** Sends a request to a web handler. */
export function flyWeb(
  door: (request: Request) => Promise<Response>,
  { method = 'POST', path = '/mcp', headers = {}, body }: Sent,
): Flight {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    for (const each of typeof value === 'string' ? [value] : value) given.append(name, each);
  }
  const leaving = new AbortController();
  const content = bodyOf(body);
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: given,
    signal: leaving.signal,
    ...(content !== undefined && { body: content as BodyInit }),
  });
  const head = door(request).then((response) => {
    const body = response.body ?? new Blob([]).stream();
    return new Live(response.status, Object.fromEntries(response.headers), body);
  });
  return { head, leave: () => leaving.abort() };
}

async function complete(flight: Flight): Promise<Answer> {
  const live = await flight.head;
  return live.complete();
}

/** Both doors, for tests of what holds for either. */
export const doors: readonly { name: string; open(service: Service): Promise<Endpoint> }[] = [
  { name: 'Node door', open: (service) => nodeEndpoint(service) },
  { name: 'web door', open: (service) => Promise.resolve(webEndpoint(service)) },
];

/** What every client of Streamable HTTP sends. */
export const usual = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

export const modernVersion = '2026-07-28';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

/** The `_meta` that every modern request carries. */
export function metaOf(more: JsonObject = {}): JsonObject {
  return { [key('protocolVersion')]: modernVersion, [key('clientCapabilities')]: {}, ...more };
}

/** A modern request with all its headers. `more.meta` adds to `_meta`, `more.headers` to the headers. */
export function modern(
  method: string,
  params: JsonObject = {},
  more: { id?: unknown; meta?: JsonObject; headers?: Sent['headers'] } = {},
): Sent {
  const { id = 1, meta, headers } = more;
  const name = params['name'];
  return {
    headers: {
      ...usual,
      'mcp-protocol-version': modernVersion,
      'mcp-method': method,
      ...(method === 'tools/call' && typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: metaOf(meta) } },
  };
}

/** A modern call of a tool. */
export function call(name: string, args: JsonObject = {}, more: Parameters<typeof modern>[2] = {}): Sent {
  return modern('tools/call', { name, arguments: args }, more);
}

/** A legacy session, opened by hand. */
export class Session {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly version: string;
  readonly extra: Readonly<Record<string, string>>;
  #last = 0;

  constructor(endpoint: Endpoint, id: string, version: string, extra: Readonly<Record<string, string>>) {
    this.endpoint = endpoint;
    this.id = id;
    this.version = version;
    this.extra = extra;
  }

  get headers(): Record<string, string> {
    return { ...usual, 'mcp-session-id': this.id, 'mcp-protocol-version': this.version, ...this.extra };
  }

  /** A request in the session. */
  request(method: string, params?: JsonObject, id: unknown = ++this.#last): Sent {
    return { headers: this.headers, body: { jsonrpc: '2.0', id, method, params } };
  }

  call(name: string, args: JsonObject = {}, more: { id?: unknown; meta?: JsonObject } = {}): Sent {
    const params = { name, arguments: args, ...(more.meta && { _meta: more.meta }) };
    return this.request('tools/call', params, more.id ?? ++this.#last);
  }

  /** A notification, a response, a batch: any body. */
  post(body: unknown): Sent {
    return { headers: this.headers, body };
  }

  note(method: string, params?: JsonObject): Sent {
    return this.post({ jsonrpc: '2.0', method, params });
  }

  get(): Sent {
    return { method: 'GET', headers: { ...this.headers, accept: 'text/event-stream' } };
  }

  delete(): Sent {
    return { method: 'DELETE', headers: this.headers };
  }
}

/** The legacy `initialize`. */
export function initialize(
  version: unknown = '2025-11-25',
  more: Sent['headers'] = {},
  id: unknown = 0,
  capabilities: JsonObject = {},
): Sent {
  return {
    headers: { ...usual, ...more },
    body: {
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: version, capabilities, clientInfo: { name: 'by hand', version: '1' } },
    },
  };
}

/** Opens a legacy session of a client that declares these capabilities, and says `initialized`. */
export async function openSession(
  endpoint: Endpoint,
  version = '2025-11-25',
  extra: Readonly<Record<string, string>> = {},
  capabilities: JsonObject = {},
): Promise<Session> {
  const answer = await endpoint.send(initialize(version, extra, 0, capabilities));
  expect(answer.status, answer.text).toBe(200);
  const session = new Session(endpoint, String(answer.headers['mcp-session-id']), version, extra);
  expect(await endpoint.send(session.note('notifications/initialized'))).toMatchObject({ status: 202, text: '' });
  return session;
}

/**
 * Checks a refusal: status, and a well-formed JSON-RPC error with that code.
 *
 * @param id the id it has to name; undefined: none may be named
 */
export function expectRefusal(answer: Answer, status: number, code: number, id?: unknown): void {
  expect({ status: answer.status, type: answer.type }, answer.text).toEqual({ status, type: 'application/json' });
  const message: unknown = answer.json;
  if (!isObject(message)) throw new Error(`no object: ${answer.text}`);
  const { error, ...rest } = message;
  expect(rest).toEqual(id === undefined ? { jsonrpc: '2.0' } : { jsonrpc: '2.0', id });
  expect(error).toMatchObject({ code, message: expect.stringMatching(/./) as unknown });
}

/** A bare connection to a port of this machine, for bytes that no HTTP client would send. */
export function bareSocket(port: number): { socket: Socket; ended: Promise<string> } {
  const socket = connectSocket(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
  });
  onTestFinished(() => void socket.destroy());
  return { socket, ended };
}

/** The head of a request as it goes over the connection, for {@link bareSocket}. The length of the body is announced unless `more` says otherwise. */
export function headText(sent: Sent, more: Readonly<Record<string, string | number>> = {}): string {
  const content = bodyOf(sent.body);
  const length = content === undefined ? 0 : Buffer.byteLength(content);
  const framing = 'transfer-encoding' in more ? {} : { 'content-length': length };
  const lines = Object.entries({ host: 'localhost', ...sent.headers, ...framing, ...more });
  return `${sent.method ?? 'POST'} /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')}\r\n`;
}

/** A promise and its resolver: a gate that a test opens. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
