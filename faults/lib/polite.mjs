/** Plain HTTP for callers who behave. */
import { Agent, request } from 'node:http';
import { requestsOf, sessionOf } from './requests.mjs';

export class Polite {
  caller;
  requests;
  #port;
  #agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(caller, port) {
    this.caller = caller;
    this.requests = requestsOf(caller);
    this.#port = port;
  }

  /** Sends a request; resolves with `{ status, headers, text }` when the answer is complete. `take` sees it coming. */
  send({ method, headers, body }, { take = () => undefined, own = false } = {}) {
    const hear = this.caller.ear(`${method} ${body ?? ''}`.slice(0, 80));
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          path: '/mcp',
          method,
          agent: own ? false : this.#agent,
          headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (answer) => {
          const all = { status: answer.statusCode, headers: answer.headers, text: '' };
          answer.setEncoding('utf8');
          answer.on('data', (chunk) => {
            hear(chunk);
            // A stream that stays open is looked at as it comes, and not kept.
            if (!own) all.text += chunk;
            take(chunk, answer.statusCode, sent);
          });
          answer.on('end', () => resolve(all));
          answer.on('error', reject);
          if (own) take('', answer.statusCode, sent);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Opens a stream that stays; resolves with `{ close, over }` as soon as it is open. */
  stream(asked, take) {
    return new Promise((resolve, reject) => {
      let opened = false;
      const over = this.send(asked, {
        own: true,
        take: (chunk, status, sent) => {
          if (status !== 200) return reject(new Error(`${asked.method}: HTTP ${status}`));
          if (chunk !== '') take(chunk);
          if (!opened) resolve({ close: () => sent.destroy(), over: settled });
          opened = true;
        },
      });
      const settled = over.then(
        () => 'ended',
        () => 'broken',
      );
      over.catch(reject);
    });
  }

  async session() {
    const { status, headers, text } = await this.send(this.requests.initialize());
    if (status !== 200) throw new Error(`initialize: HTTP ${status} ${text.slice(0, 200)}`);
    const session = sessionOf(headers['mcp-session-id']);
    await this.send({
      ...this.requests.legacy(session, ''),
      body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    });
    return session;
  }

  close() {
    this.#agent.destroy();
  }
}

/** The JSON-RPC messages of an answer. */
export function messagesOf(text) {
  if (text.startsWith('{')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.length > 6)
    .map((line) => JSON.parse(line.slice(5)));
}
