import { isObject, parseJson, type JsonObject } from '../base/json.ts';
import type { RpcErrorObject } from '../base/errors.ts';
import { errorCodes } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type { Pipe } from '../ports/pipe.ts';
import { Mailbox } from './mailbox.ts';

/** One line that a scripted peer has read (`in`) or written (`out`), without its line feed. */
export interface SeenLine {
  direction: 'in' | 'out';
  text: string;
}

/** A request that a scripted peer has read, with the ways to answer it. */
export interface ScriptedRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** The whole message. */
  readonly message: JsonObject;
  reply(result: unknown): void;
  fail(error: RpcErrorObject): void;
  /** Writes this text as it is: to answer wrongly. */
  raw(text: string): void;
}

/** What is done with a request. A value that is returned is its result; undefined: the handler answers itself. */
export type ScriptedHandler = (request: ScriptedRequest) => unknown;

/**
 * A peer that speaks newline-delimited JSON-RPC by hand and has no manners of its own: it says what the test tells
 * it, when the test tells it, wrong things included. It never waits by time: what is awaited comes, or the pipe ends
 * and the wait rejects.
 */
export class ScriptedPeer {
  /** Every line so far, in order of reading and writing. */
  readonly lines: SeenLine[] = [];
  /** Resolves when the other side has ended the pipe, with the pipe's error if there was one. */
  readonly ended: Promise<Error | undefined>;
  readonly #pipe: Pipe;
  readonly #handlers: Readonly<Record<string, ScriptedHandler>>;
  readonly #requests = new Mailbox<ScriptedRequest>();
  readonly #notes = new Mailbox<JsonObject>();
  readonly #replies = new Mailbox<JsonObject>();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #unfinished = '';
  #unfinishedOut = '';
  #lastId = 0;

  constructor(pipe: Pipe, handlers: Readonly<Record<string, ScriptedHandler>>) {
    this.#pipe = pipe;
    this.#handlers = handlers;
    this.ended = new Promise((resolve) => {
      pipe.start({
        chunk: (bytes) => this.#read(this.#decoder.decode(bytes, { stream: true })),
        ended: (error) => {
          const over = new Error('the pipe has ended', error === undefined ? undefined : { cause: error });
          for (const mailbox of [this.#requests, this.#notes, this.#replies]) mailbox.end(over);
          resolve(error);
        },
      });
    });
  }

  /** Methods of requests that have come and that no handler and no {@link expect} has taken. */
  get unread(): string[] {
    return this.#requests.unread;
  }

  /** What has come since the last line feed. */
  get unfinished(): string {
    return this.#unfinished;
  }

  /**
   * The next request with this method; requests with others stay for later.
   *
   * @throws Error when the pipe has ended and there is none
   */
  expect(method: string): Promise<ScriptedRequest> {
    return this.#requests.take(method);
  }

  /** The next notification with this method, as the whole message. @throws Error when the pipe has ended */
  expectNote(method: string): Promise<JsonObject> {
    return this.#notes.take(method);
  }

  /**
   * Sends a request and gives the response to it as the whole message, errors included. Ids count from 1 unless given.
   *
   * @throws Error when the pipe ends before
   */
  request(method: string, params?: unknown, id: RequestId = ++this.#lastId): Promise<JsonObject> {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.#replies.take(JSON.stringify(id));
  }

  /** Sends a notification. */
  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Sends any value as one line of JSON. */
  send(message: unknown): void {
    this.raw(`${JSON.stringify(message)}\n`);
  }

  /** Writes text as it is: no line feed is added. Bytes that are not text: `pair.inject`. */
  raw(text: string): void {
    const parts = (this.#unfinishedOut + text).split('\n');
    this.#unfinishedOut = parts.pop() ?? '';
    for (const line of parts) this.lines.push({ direction: 'out', text: line });
    this.#pipe.write(text);
  }

  /** Ends the pipe politely. */
  close(): Promise<void> {
    return this.#pipe.close();
  }

  #read(text: string): void {
    const parts = (this.#unfinished + text).split('\n');
    this.#unfinished = parts.pop() ?? '';
    for (const line of parts) {
      this.lines.push({ direction: 'in', text: line });
      const parsed = parseJson(line);
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) if (isObject(message)) this.#take(message);
    }
  }

  #take(message: JsonObject): void {
    const { id, method } = message;
    const isId = typeof id === 'string' || typeof id === 'number';
    if (typeof method !== 'string') {
      if (isId) this.#replies.put(JSON.stringify(id), message);
    } else if (isId) this.#serve(this.#requestOf(message, id, method));
    else this.#notes.put(method, message);
  }

  #requestOf(message: JsonObject, id: RequestId, method: string): ScriptedRequest {
    return {
      id,
      method,
      params: isObject(message['params']) ? message['params'] : undefined,
      message,
      reply: (result) => this.send({ jsonrpc: '2.0', id, result }),
      fail: (error) => this.send({ jsonrpc: '2.0', id, error }),
      raw: (text) => this.raw(text),
    };
  }

  #serve(request: ScriptedRequest): void {
    const handler = Object.hasOwn(this.#handlers, request.method) ? this.#handlers[request.method] : undefined;
    if (handler === undefined) {
      this.#requests.put(request.method, request);
      return;
    }
    const answer = async () => {
      try {
        const result = await handler(request);
        if (result !== undefined) request.reply(result);
      } catch (error) {
        request.fail({ code: errorCodes.internal, message: error instanceof Error ? error.message : String(error) });
      }
    };
    void answer();
  }
}

/**
 * A server by hand. Requests that have a handler are answered by it, all others wait for `expect`.
 *
 * ```ts
 * const server = scriptedServer(pair.server, { 'tools/list': () => ({ tools: [] }) });
 * const call = await server.expect('tools/call');
 * call.fail({ code: -32603, message: 'no' });
 * ```
 */
export function scriptedServer(pipe: Pipe, handlers: Readonly<Record<string, ScriptedHandler>> = {}): ScriptedPeer {
  return new ScriptedPeer(pipe, handlers);
}

/** A client by hand. Its handlers answer what a legacy server asks. */
export function scriptedClient(pipe: Pipe, handlers: Readonly<Record<string, ScriptedHandler>> = {}): ScriptedPeer {
  return new ScriptedPeer(pipe, handlers);
}
