import { Cancel } from '../base/cancel.ts';
import { AbortError, ConnectionError, InvalidResponseError, McpError, ResponseTooLargeError } from '../base/errors.ts';
import { isObject, notJson, parseJson, type JsonObject } from '../base/json.ts';
import { sample, type Logger } from '../base/logger.ts';
import * as incoming from '../core/incoming.ts';
import { LineSplitter } from '../core/ndjson.ts';
import * as outgoing from '../core/outgoing.ts';
import { errorCodes, metaKeys } from '../model/meta.ts';
import type { ProgressToken, RequestId } from '../model/types.ts';
import type { Call, Note, Pipe, Reply, RequestOptions } from '../ports/index.ts';
import { errorText, noteText, readMessage, requestText, type Message } from '../wire/index.ts';
import { replyText } from './reply.ts';

/** What both ends of a pipe have in common. */
export interface PeerOptions {
  logger: Logger;
  /** Longest line taken, in bytes. */
  maxLineBytes: number;
  /** Most requests of the other side that may run at a time; more are refused. */
  maxInFlight: number;
  /** UTF-8 to text; the platform's own may be quicker than the default. */
  decode?: ((bytes: Uint8Array) => string) | undefined;
  /** Sees every line, for debugging. */
  onFrame?: ((direction: 'in' | 'out', text: string) => void) | undefined;
}

/** What an end does with what the other side sends of its own accord. */
export interface PeerHandler {
  /** Whether to answer what cannot be served. A client has nobody to answer to: what it gets are answers. */
  readonly refuses: boolean;
  serve(message: Message & { kind: 'request' }, serving: Serving): void;
  notice(note: Note): void;
  /** An array of messages. */
  batch(messages: readonly unknown[]): void;
  /** Whether errors for messages without a readable id carry `id: null`. */
  nullErrorId(): boolean;
  ended(error: Error | undefined): void;
}

/**
 * One end of a pipe: matches ids, progress tokens and subscription ids, and so turns a stream of lines into
 * exchanges. It speaks for both sides, since a legacy server asks as well.
 */
export class Peer {
  readonly #pipe: Pipe;
  readonly #handler: PeerHandler;
  readonly #options: PeerOptions;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #byToken = new Map<ProgressToken, Waiting>();
  readonly #serving = new Map<RequestId, Serving>();
  #lastId = 0;
  #noise = 0;
  #ended = false;

  constructor(pipe: Pipe, handler: PeerHandler, options: PeerOptions) {
    this.#pipe = pipe;
    this.#handler = handler;
    this.#options = options;
  }

  /** How many requests are open in either direction; 0 when nothing is left behind. */
  get open(): number {
    return this.#waiting.size + this.#serving.size + this.#byToken.size;
  }

  start(): void {
    const lines = new LineSplitter(
      { line: (text) => this.#line(text), oversize: (head) => this.#oversize(head) },
      this.#options.maxLineBytes,
      this.#options.decode,
    );
    this.#pipe.start({ chunk: (bytes) => lines.feed(bytes), ended: (error) => this.#end(error) });
  }

  async request(call: Call, options: RequestOptions = {}): Promise<Reply> {
    if (this.#ended) throw new ConnectionError('the connection has ended', { outcome: 'not-sent' });
    if (options.cancel?.cancelled === true) throw new AbortError(options.cancel.reason, { outcome: 'not-sent' });
    // Ids are never used twice: legacy revisions demand it for the whole session.
    const id = ++this.#lastId;
    const text = requestText(id, call.method, call.params);
    return new Promise((resolve, reject) => {
      const waiting = new Waiting(id, call, options.emit, resolve, reject);
      this.#waiting.set(id, waiting);
      if (waiting.token !== undefined) this.#byToken.set(waiting.token, waiting);
      options.cancel?.onCancel((reason) => this.#cancel(waiting, reason));
      this.write(text);
    });
  }

  note(note: Note): boolean {
    return this.write(noteText(note.method, note.params));
  }

  /** Sends a line; false when the pipe is full. After the end it goes nowhere. */
  write(text: string): boolean {
    if (this.#ended) return false;
    this.#options.onFrame?.('out', text);
    return this.#pipe.write(text + '\n');
  }

  drained(): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#pipe.drained();
  }

  close(): Promise<void> {
    return this.#pipe.close();
  }

  /** Serves a request that came outside of a line of its own (a batch). */
  receive(message: Message): void {
    switch (message.kind) {
      case 'request':
        return this.#serve(message);
      case 'notification':
        return this.#notice(message);
      case 'result':
        return this.#answered(message.id, (waiting) => waiting.resolve({ result: message.result }));
      case 'error':
        if (message.id === undefined) return this.#odd(`an error without id: ${sample(message.error.message)}`);
        return this.#answered(message.id, (waiting) => waiting.resolve({ error: message.error }));
      case 'broken-response':
        if (message.id === undefined) return this.#odd(`a broken response: ${message.problem}`);
        return this.#answered(message.id, (waiting) => waiting.reject(new InvalidResponseError(message.problem)));
      case 'invalid':
        return this.#refuse(message.id, message.code, message.problem);
    }
  }

  #line(text: string): void {
    this.#options.onFrame?.('in', text);
    const parsed = parseJson(text);
    if (parsed === notJson) return this.#garbage(text);
    if (Array.isArray(parsed)) return this.#handler.batch(parsed);
    const message = readMessage(parsed);
    // Servers print logs to stdout, JSON logs too: what does not even say that it is JSON-RPC gets no answer.
    if (message.kind === 'invalid' && !(isObject(parsed) && 'jsonrpc' in parsed)) return this.#garbage(text);
    this.receive(message);
  }

  #garbage(text: string): void {
    this.#odd(`a line that is no message: ${sample(text)}`);
    this.#refuse(undefined, errorCodes.parse, 'a line must hold one JSON-RPC message');
  }

  #refuse(id: RequestId | undefined, code: number, message: string): void {
    if (!this.#handler.refuses) return;
    this.write(errorText(id, { code, message }, this.#handler.nullErrorId()));
  }

  #oversize(head: string): void {
    const id = /^\{"jsonrpc":"2\.0","id":(?:(\d{1,15})|"([^"\\]{1,100})")[,}]/.exec(head);
    const known = id?.[1] === undefined ? id?.[2] : Number(id[1]);
    const error = new ResponseTooLargeError(this.#options.maxLineBytes);
    if (known !== undefined && this.#waiting.has(known))
      return this.#answered(known, (waiting) => waiting.reject(error));
    if (this.#waiting.size === 0) {
      this.#odd(`a line longer than ${this.#options.maxLineBytes} bytes`);
      return this.#refuse(undefined, errorCodes.invalidRequest, 'the message is too large');
    }
    // Somebody waits for the answer that was dropped, and nobody can tell who.
    this.#end(error);
    void this.#pipe.close();
  }

  #serve(message: Message & { kind: 'request' }): void {
    const { id } = message;
    if (this.#serving.has(id)) {
      // An answer under the id would be taken for the answer to the request that runs.
      return this.#refuse(undefined, errorCodes.invalidRequest, `id ${JSON.stringify(id)} is still in use`);
    }
    if (this.#serving.size >= this.#options.maxInFlight) {
      return this.#refuse(id, errorCodes.internal, 'too many requests at a time');
    }
    const serving = new Serving(this, id);
    this.#serving.set(id, serving);
    this.#handler.serve(message, serving);
  }

  #notice(note: Note): void {
    const { method, params } = note;
    if (method === 'notifications/cancelled') {
      const id = params?.['requestId'] as RequestId;
      const serving = this.#serving.get(id);
      if (serving !== undefined) return serving.post({ on: 'cancelled' }, params?.['reason']);
      const waiting = this.#waiting.get(id);
      // Only a subscription may be ended like this; whoever holds it knows what to do.
      if (waiting?.call.method === 'subscriptions/listen') waiting.emit?.(note);
      return;
    }
    const owner =
      method === 'notifications/progress'
        ? this.#byToken.get(params?.['progressToken'] as ProgressToken)
        : this.#subscribed(params);
    if (owner !== undefined) return this.#safely(() => owner.emit?.(note));
    if (method === 'notifications/progress') return;
    this.#safely(() => this.#handler.notice(note));
  }

  #subscribed(params: JsonObject | undefined): Waiting | undefined {
    const meta = params?.['_meta'];
    if (!isObject(meta)) return undefined;
    const waiting = this.#waiting.get(meta[metaKeys.subscriptionId] as RequestId);
    return waiting?.call.method === 'subscriptions/listen' ? waiting : undefined;
  }

  #safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.logger.error('a listener threw', error);
    }
  }

  #answered(id: RequestId, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return this.#odd(`a response nobody waits for: id ${sample(JSON.stringify(id), 40)}`);
    this.#post(waiting, { on: 'answered' }, settle);
  }

  #cancel(waiting: Waiting, reason: unknown): void {
    this.#post(waiting, { on: 'cancelled' }, () => {
      waiting.reject(McpError.is(reason) ? reason : new AbortError(reason, { outcome: 'unknown' }));
    });
  }

  #post(waiting: Waiting, input: outgoing.Input, settle: (waiting: Waiting) => void): void {
    const [state, effects] = outgoing.step(waiting.state, input);
    waiting.state = state;
    for (const effect of effects) {
      if (effect.do === 'settle') {
        this.#forget(waiting);
        settle(waiting);
      } else if (waiting.call.method !== 'initialize') {
        this.note({ method: 'notifications/cancelled', params: { requestId: waiting.id } });
      }
    }
  }

  #forget(waiting: Waiting): void {
    this.#waiting.delete(waiting.id);
    if (waiting.token !== undefined && this.#byToken.get(waiting.token) === waiting)
      this.#byToken.delete(waiting.token);
  }

  /** @internal */
  forgetServing(serving: Serving): void {
    if (this.#serving.get(serving.id) === serving) this.#serving.delete(serving.id);
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const waiting of this.#waiting.values()) {
      this.#post(waiting, { on: 'ended' }, () => {
        const known = McpError.is(error) ? error : undefined;
        waiting.reject(
          known ??
            new ConnectionError('the connection ended before the response', { outcome: 'unknown', cause: error }),
        );
      });
    }
    for (const serving of this.#serving.values()) serving.post({ on: 'ended' }, 'the connection has ended');
    this.#handler.ended(error);
  }

  /** Reports what is odd: the first few in full, then one in a hundred, so that a flood stays readable. */
  #odd(what: string): void {
    this.#noise++;
    if (this.#noise <= 5 || this.#noise % 100 === 0)
      this.#options.logger.warn(`the peer sent ${what}`, { seen: this.#noise });
  }
}

class Waiting {
  state: outgoing.State = outgoing.initial;
  readonly id: RequestId;
  readonly call: Call;
  readonly token: ProgressToken | undefined;
  readonly emit: ((note: Note) => void) | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;

  constructor(
    id: RequestId,
    call: Call,
    emit: ((note: Note) => void) | undefined,
    resolve: (reply: Reply) => void,
    reject: (error: Error) => void,
  ) {
    this.id = id;
    this.call = call;
    this.emit = emit;
    this.resolve = resolve;
    this.reject = reject;
    const meta = call.params?.['_meta'];
    this.token = isObject(meta) ? (meta[metaKeys.progressToken] as ProgressToken | undefined) : undefined;
  }
}

/** A request of the other side that is being served here. */
export class Serving {
  readonly id: RequestId;
  readonly cancel = new Cancel();
  readonly #peer: Peer;
  #state: incoming.State = incoming.initial;
  #reply: Reply | undefined;

  constructor(peer: Peer, id: RequestId) {
    this.#peer = peer;
    this.id = id;
  }

  /** Whether notices and the reply still go out. */
  get running(): boolean {
    return this.#state.at === 'running';
  }

  reply(reply: Reply): void {
    this.#reply = reply;
    this.post({ on: 'replied' });
  }

  /** @internal */
  post(input: incoming.Input, reason?: unknown): void {
    const [state, effects] = incoming.step(this.#state, input);
    this.#state = state;
    for (const effect of effects) {
      if (effect.do === 'forget') this.#peer.forgetServing(this);
      else if (effect.do === 'stop-handler') this.cancel.cancel(new AbortError(reason));
      else this.#peer.write(replyText(this.id, this.#reply as Reply));
    }
    if (state.at === 'done') this.cancel.done();
  }
}
