/** The load generator's side: plain HTTP with as little work as possible. */
import { Agent, request } from 'node:http';
import { initializeParams, legacyRequest, modernRequest } from '../../bench/lib/wire.mjs';

/** Calls `run(n)` for 0 … count - 1, `width` of them at a time. */
export async function each(count, width, run) {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}

/** Everything that is sent to one server. */
export class Callers {
  #at;
  #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  #streams = new Set();

  constructor(url) {
    const { hostname, port, pathname } = new URL(url);
    this.#at = { host: hostname, port, path: pathname };
  }

  /** One request, one whole answer: `{ status, headers, text }`. */
  send(method, headers, body) {
    return new Promise((resolve, reject) => {
      const sent = request(
        { ...this.#at, method, agent: this.#agent, headers: withLength(headers, body) },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk) => (text += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
          answer.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Opens a legacy session; the headers of its requests. */
  async session() {
    const first = legacyRequest(null, 'initialize', initializeParams, 0);
    const { status, headers } = await this.send('POST', first.headers, first.body);
    if (status !== 200) throw new Error(`initialize: HTTP ${status}`);
    const session = legacyRequest(
      { id: headers['mcp-session-id'], version: initializeParams.protocolVersion },
      '',
    ).headers;
    await this.send('POST', session, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return session;
  }

  /** Calls a method in a session; the status of the answer. */
  async call(session, method, params = {}) {
    const { status } = await this.send('POST', session, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return status;
  }

  /** Opens the GET stream of a session. */
  get(session, take) {
    const { 'content-type': _, ...headers } = session;
    return this.#open('GET', { ...headers, accept: 'text/event-stream' }, undefined, take);
  }

  /** Opens `subscriptions/listen` for some resources. */
  listen(id, uris, take) {
    const { headers, body } = modernRequest(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: uris } },
      id,
    );
    return this.#open('POST', headers, body, take);
  }

  /** On a connection of its own. `take(text)` gets what comes; without it nothing is read until `read(take)`. */
  #open(method, headers, body, take) {
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#at, method, agent: false, headers: withLength(headers, body) }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`${method}: HTTP ${answer.statusCode}`));
        answer.setEncoding('latin1');
        const read = (taker) => void answer.on('data', taker).resume();
        if (take === undefined) answer.pause();
        else read(take);
        const stream = { read, reset: () => (this.#streams.delete(stream), sent.socket.resetAndDestroy()) };
        this.#streams.add(stream);
        answer.on('error', () => undefined);
        resolve(stream);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Breaks all streams off, as callers do whose machine is gone. */
  reset() {
    for (const stream of this.#streams) stream.reset();
  }

  close() {
    this.reset();
    this.#agent.destroy();
  }
}

function withLength(headers, body) {
  return body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
}

/** Counts notices of changes in the text of a stream, and remembers of which resource the last one was. */
export class Counter {
  count = 0;
  last = undefined;
  /** How often the next one was not the one after the last one, of `span` resources in turn. */
  gaps = 0;
  #tail = '';
  #span;
  #wake;

  /** @param span how many resources change in turn; without it the order is not looked at */
  constructor({ span, wake = () => undefined } = {}) {
    this.#span = span;
    this.#wake = wake;
  }

  take = (chunk) => {
    const text = this.#tail + chunk;
    const end = text.lastIndexOf('\n\n') + 2;
    if (end > 1) {
      for (let at = text.indexOf(marker); at !== -1 && at < end; at = text.indexOf(marker, at + 16))
        this.#found(text, at);
      this.#tail = text.slice(end);
    } else this.#tail = text;
    this.#wake();
  };

  #found(text, at) {
    this.count += 1;
    const number = Number.parseInt(text.slice(at + marker.length, at + marker.length + 9), 10);
    if (this.#span !== undefined && this.last !== undefined && number !== (this.last + 1) % this.#span) this.gaps += 1;
    this.last = number;
  }
}

const marker = '"uri":"x://r/';
