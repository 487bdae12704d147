import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpOutgoing } from '../transport/http-types.ts';
import type { KeepAlive } from '../transport/keep-alive.ts';
import { whenDrained } from './when-drained.ts';

const batchCharacters = 16 * 1024;

/** What a door does about its open streams over time. */
interface Patience {
  readonly keepAlive: KeepAlive;
  /** How long a caller may take nothing of a stream; `Infinity`: for ever. */
  readonly stalledMs: number;
}

/** A response of `node:http`. */
export class NodeOutgoing implements HttpOutgoing {
  readonly #response: ServerResponse;
  readonly #keepAlive: KeepAlive;
  readonly #stalledMs: number;
  /** What was written in this turn: one write for many notices is several times quicker than one each. */
  #batch = '';
  #scheduled = false;
  #watching = false;
  #awaiting = false;
  #gone: (() => void)[] | undefined;
  /** Pending while there is no room, and somebody waits for it. */
  #room: Promise<void> | undefined;
  /** All of it is out of our hands. */
  #finished = false;

  constructor(response: ServerResponse, { keepAlive, stalledMs }: Patience) {
    this.#response = response;
    this.#keepAlive = keepAlive;
    this.#stalledMs = stalledMs;
    if (response.socket === null) closeWithConnection(response);
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    const response = this.#response;
    if (response.headersSent) return;
    // Without a length an empty answer would go out in chunks, and some clients take that for a body. 204 has none.
    if (status === 204) response.writeHead(status, headers);
    else response.writeHead(status, { ...headers, 'content-length': body === undefined ? 0 : Buffer.byteLength(body) });
    this.#end(body);
  }

  open(headers: Readonly<Record<string, string>>): void {
    const response = this.#response;
    // Its caller has gone, and there is no end to come that would take it off the list of those kept alive.
    if (response.destroyed) return;
    response.writeHead(200, headers);
    response.flushHeaders();
    this.#keepAlive.add(this);
    this.#watch();
  }

  awaitReader(): void {
    if (this.#awaiting || this.#stalledMs > longestTimeoutMs) return;
    this.#awaiting = true;
    this.#response.setTimeout(this.#stalledMs, quiet);
  }

  get unsent(): boolean {
    return this.#response.writableLength > 0;
  }

  write(text: string): boolean {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return false;
    this.#batch += text;
    if (this.#batch.length >= batchCharacters) return this.#flush();
    if (!this.#scheduled) {
      this.#scheduled = true;
      process.nextTick(flushLater, this);
    }
    // What earlier turns wrote may wait for the caller still.
    if (!response.writableNeedDrain) return true;
    this.awaitReader();
    return false;
  }

  #flush(): boolean {
    const batch = this.#batch;
    this.#batch = '';
    if (batch === '' || this.#response.destroyed || this.#response.write(batch)) return true;
    this.awaitReader();
    return false;
  }

  /** @internal */
  flushScheduled(): void {
    this.#scheduled = false;
    if (!this.#response.writableEnded) this.#flush();
  }

  drained(): Promise<void> {
    const response = this.#response;
    if (response.destroyed || !response.writableNeedDrain) return Promise.resolve();
    return (this.#room ??= whenDrained(response, () => (this.#room = undefined)));
  }

  end(text?: string, passedOn?: () => void): void {
    const response = this.#response;
    const rest = this.#batch + (text ?? '');
    this.#batch = '';
    if (response.writableEnded) return;
    this.#end(rest, passedOn);
    if (this.unsent) this.awaitReader();
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed && !response.writableFinished) return listener();
    if (this.#gone !== undefined) return void this.#gone.push(listener);
    this.#gone = [listener];
    if (response.writableEnded && !response.writableFinished) onFinish(response, () => (this.#finished = true));
    else this.#finished = response.writableFinished;
    this.#watch();
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#response.on('close', () => this.#closed());
  }

  #closed(): void {
    this.#keepAlive.delete(this);
    const gone = this.#gone;
    if (this.#finished || gone === undefined) return;
    this.#gone = undefined;
    for (const listener of gone) listener();
  }

  /** Before the end nothing can have been passed on, and most streams are open much longer than they end. */
  #end(text: string | undefined, passedOn?: () => void): void {
    const response = this.#response;
    if (this.#gone !== undefined) onFinish(response, () => (this.#finished = true));
    if (passedOn !== undefined) onFinish(response, passedOn);
    response.end(text);
  }
}

/** What a timer of Node can wait. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Nothing has moved on the socket for a while: of a stream that has nothing to say that is right. */
function quiet(this: unknown): void {
  const response = this as ServerResponse;
  if (response.writableLength > 0) response.destroy();
}

/**
 * Calls `listener` when all of a response has been given to the network. Node says so too when the connection broke
 * under what was still to be given, and lets go of the socket then: it has to be looked at before.
 */
function onFinish(response: ServerResponse, listener: () => void): void {
  response.prependOnceListener('finish', () => {
    const { socket } = response;
    if (socket === null || (!socket.destroyed && socket.errored === null)) listener();
  });
}

/** Responses to requests that came before the answers ahead of them were complete, by connection. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/** Node tells the response whose turn it is that the connection has gone, and none of those behind it. */
function closeWithConnection(response: ServerResponse): void {
  const { socket } = response.req;
  if (socket.destroyed) return close(response);
  let those = queued.get(socket);
  if (those === undefined) {
    const behind = (those = new Set<ServerResponse>());
    queued.set(socket, behind);
    socket.once('close', () => behind.forEach(close));
  }
  const own = those;
  own.add(response);
  // From its turn on it is told like any other.
  response.once('socket', () => own.delete(response));
}

function close(response: ServerResponse): void {
  if (response.destroyed) return;
  response.destroy();
  response.emit('close');
}

function flushLater(outgoing: NodeOutgoing): void {
  outgoing.flushScheduled();
}
