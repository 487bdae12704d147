import { ConnectionError, InvalidResponseError, ResponseTooLargeError } from '../base/errors.ts';
import { isObject, notJson, parseJson, type JsonObject } from '../base/json.ts';
import { sample, type Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { LineSplitter } from '../core/ndjson.ts';
import { errorCodes, metaKeys } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, Note, Pipe, Reply, RequestOptions } from '../ports/index.ts';
import { errorText, noteText, readMessage, type Message } from '../wire/index.ts';
import { Calls, type Settle } from './calls.ts';
import { Serving, type Way } from './serving.ts';

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
  /** Whether requests are served. */
  readonly serves: boolean;
  serve(message: Message & { kind: 'request' }, serving: Serving): void;
  notice(note: Note): void;
  /** An array of messages; whatever it is answered with goes `way`. */
  batch(messages: readonly unknown[], way: Way): void;
  /** Whether errors for messages without a readable id carry `id: null`. */
  nullErrorId(): boolean;
  ended(error: Error | undefined): void;
}

/** How most JSON writers begin a message with an id, up to the member that follows it. */
const beginning = /^\{"jsonrpc":"2\.0","id":(?:(\d{1,15})|"([^"\\]{1,100})"),"(method|result|error)":/;

/**
 * One end of a pipe: matches ids, progress tokens and subscription ids, and so turns a stream of lines into
 * exchanges. It speaks for both sides, since a legacy server asks as well.
 */
export class Peer {
  readonly #pipe: Pipe;
  readonly #handler: PeerHandler;
  readonly #options: PeerOptions;
  readonly #calls = new Calls((text) => this.write(text));
  readonly #serving = new Map<RequestId, Serving>();
  #oddities = 0;
  #ended = false;

  constructor(pipe: Pipe, handler: PeerHandler, options: PeerOptions) {
    this.#pipe = pipe;
    this.#handler = handler;
    this.#options = options;
  }

  /** How much is kept for requests in either direction; 0 when nothing is left behind. */
  get open(): number {
    return this.#calls.kept + this.#serving.size;
  }

  /** Whether a request of ours that asked for log messages is open. */
  get logs(): boolean {
    return this.#calls.logs;
  }

  start(): void {
    const lines = new LineSplitter(
      { line: (text) => this.line(text), oversize: (head) => this.#oversize(head) },
      this.#options.maxLineBytes,
      this.#options.decode,
    );
    this.#pipe.start({ chunk: (bytes) => lines.feed(bytes), ended: (error) => this.#end(error) });
  }

  request(call: Call, options: RequestOptions = {}): Promise<Reply> {
    if (this.#ended) return Promise.reject(new ConnectionError('the connection has ended', { outcome: 'not-sent' }));
    return this.#calls.send(call, options);
  }

  note(note: Note): boolean {
    return this.write(note.text ?? noteText(note.method, note.params));
  }

  /** Sends a line; false when the pipe is full. After the end it goes nowhere. */
  write(text: string): boolean {
    if (this.#ended) return false;
    const room = this.#pipe.write(text + '\n');
    this.#show('out', text);
    return room;
  }

  drained(): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#pipe.drained();
  }

  close(): Promise<void> {
    return this.#pipe.close();
  }

  /** Takes one message, as parsed. Whatever it is answered with goes `way`: a batch gathers its answers. */
  receive(parsed: unknown, way: Way = this): void {
    const message = readMessage(parsed);
    switch (message.kind) {
      case 'request':
        return this.#serve(message, way);
      case 'notification':
        return this.#notice({ method: message.method, params: message.params });
      case 'result':
        return this.#answered(message.id, (waiting) => waiting.resolve({ result: message.result }));
      case 'error': {
        // Without an id it can only be meant for the one request that is under way.
        const id = message.id ?? this.#calls.opening();
        if (id === undefined) return this.#odd('an error without id', message.error.message);
        return this.#answered(id, (waiting) => waiting.resolve({ error: message.error }));
      }
      case 'broken-response':
        return this.#broken(message.id, message.problem);
      case 'invalid':
        // A response that has lost its result, perhaps.
        if (message.id !== undefined && this.#calls.has(message.id) && isObject(parsed) && !('method' in parsed))
          return this.#broken(message.id, message.problem);
        this.#odd(`what is no message: ${message.problem}`);
        return this.#refuse(message.id, message.code, message.problem, way);
    }
  }

  /** Takes a line. Whatever it is answered with goes `way`. */
  line(text: string, way: Way = this): void {
    // After an end of our own making there may be more of the chunk.
    if (this.#ended) return;
    this.#show('in', text);
    const parsed = parseJson(text);
    if (parsed === notJson) {
      this.#odd('a line that is no JSON', text);
      this.#refuse(undefined, errorCodes.parse, 'a line must hold one JSON-RPC message', way);
    } else if (Array.isArray(parsed)) this.#handler.batch(parsed, way);
    else this.receive(parsed, way);
  }

  #oversize(head: string): void {
    if (this.#ended) return;
    const [, number, string, member] = beginning.exec(head) ?? [];
    const id = number === undefined ? string : Number(number);
    const limit = this.#options.maxLineBytes;
    if (member === 'method' || (member === undefined && this.#calls.size === 0)) {
      this.#odd(`a line longer than ${limit} bytes`);
      return this.#refuse(id, errorCodes.invalidRequest, `a message may have ${limit} bytes`);
    }
    const error = new ResponseTooLargeError(limit);
    if (id !== undefined) return this.#answered(id, (waiting) => waiting.reject(error));
    // Somebody waits for the answer that was dropped, and nobody can tell who.
    this.#end(error);
    void this.#pipe.close();
  }

  #refuse(id: RequestId | undefined, code: number, message: string, way: Way = this): void {
    if (this.#handler.refuses) way.write(errorText(id, { code, message }, this.#handler.nullErrorId()));
  }

  #serve(message: Message & { kind: 'request' }, way: Way): void {
    const { id } = message;
    if (!this.#handler.serves) return this.#odd('a request, which this client does not answer', message.method);
    if (this.#serving.has(id)) {
      // An answer under the id would be taken for the answer to the request that runs.
      return this.#refuse(undefined, errorCodes.invalidRequest, `id ${JSON.stringify(id)} is still in use`, way);
    }
    if (this.#serving.size >= this.#options.maxInFlight) {
      return this.#refuse(id, errorCodes.internal, 'too many requests at a time', way);
    }
    const serving = new Serving(way, id);
    this.#serving.set(id, serving);
    this.#handler.serve(message, serving);
  }

  /** @internal */
  forget(serving: Serving): void {
    if (this.#serving.get(serving.id) === serving) this.#serving.delete(serving.id);
  }

  #notice(note: Note): void {
    const { method, params } = note;
    if (method === 'notifications/cancelled') return this.#cancelled(params);
    if (method === 'notifications/progress') {
      const owner = this.#calls.withToken(params?.['progressToken']);
      return owner === undefined ? undefined : this.#safely(() => owner.emit?.(note));
    }
    const meta = params?.['_meta'];
    const subscription = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    if (subscription === undefined) return this.#safely(() => this.#handler.notice(note));
    // What names a subscription that is over comes late, and is for nobody else.
    const owner = this.#calls.subscription(subscription);
    if (owner !== undefined) this.#safely(() => owner.emit?.(note));
  }

  #cancelled(params: JsonObject | undefined): void {
    const id = params?.['requestId'] as RequestId; // anything else is in no map
    const reason = params?.['reason'];
    const serving = this.#serving.get(id);
    if (serving !== undefined) {
      const why = typeof reason === 'string' ? sample(reason) : 'no reason given';
      this.#options.logger.debug(`request ${sample(JSON.stringify(id), 40)} was cancelled: ${why}`);
      return serving.cancelled(reason);
    }
    // Only a subscription may be ended like this. A result may follow: it has nothing to add.
    if (this.#calls.subscription(id) === undefined) return;
    this.#answered(id, (waiting) => waiting.resolve({ result: { _meta: { [metaKeys.subscriptionId]: id } } }));
  }

  /** Whoever waits gets nothing better. */
  #broken(id: RequestId | undefined, problem: string): void {
    if (id === undefined) this.#odd(`a broken response: ${problem}`);
    else this.#answered(id, (waiting) => waiting.reject(new InvalidResponseError(problem)));
  }

  #answered(id: RequestId, settle: Settle): void {
    if (this.#calls.answered(id, settle)) return;
    // An answer to what was cancelled meanwhile is nobody's fault.
    if (this.#calls.gave(id)) this.#options.logger.debug(`a late answer to request ${id}`);
    else this.#odd('a response nobody waits for', JSON.stringify(id));
  }

  #safely(run: () => void): void {
    safely(this.#options.logger, run);
  }

  #show(direction: 'in' | 'out', text: string): void {
    const { onFrame } = this.#options;
    if (onFrame !== undefined) this.#safely(() => onFrame(direction, text));
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#calls.end(error);
    for (const serving of this.#serving.values()) serving.ended();
    this.#handler.ended(error);
  }

  /**
   * Reports what is odd: the first few, then one in a hundred, so that a flood stays readable. What the peer wrote
   * may be anything, secrets too: it is shown to those who debug only.
   */
  #odd(what: string, text?: string): void {
    const seen = ++this.#oddities;
    if (seen > 5 && seen % 100 !== 0) return;
    const { logger } = this.#options;
    logger.warn(`the peer sent ${what}`, text === undefined ? { seen } : { seen, characters: text.length });
    if (text !== undefined) logger.debug(`it began: ${sample(text)}`);
  }
}
