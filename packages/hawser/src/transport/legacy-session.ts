import { Cancel } from '../base/cancel.ts';
import { AbortError, ConnectionError, InvalidResponseError, McpError } from '../base/errors.ts';
import type { LegacyCaller } from '../core/handshake.ts';
import type { Accepts } from '../core/head.ts';
import * as session from '../core/session.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, Caller, Exchange, Note, Reply, RequestOptions, Service } from '../ports/index.ts';
import { noteText, requestText } from '../wire/index.ts';
import { HttpExchange } from './http-exchange.ts';
import { frame, streamHeaders, type HttpOutgoing } from './http-types.ts';

const everyChange = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** One legacy session over HTTP. Idle, it is a few small objects, however many tools the server has. */
export class LegacySession {
  readonly id: string;
  readonly caller: LegacyCaller;
  readonly #service: Service;
  #state: session.State = session.initial;
  /** Made on first use; most sessions run one request at a time or none. */
  #serving: Map<RequestId, Cancel> | undefined;
  #asking: Map<RequestId, Asking> | undefined;
  #lastAsk = 0;
  #stream: { out: HttpOutgoing; listening: Cancel } | undefined;

  constructor(id: string, caller: LegacyCaller, service: Service) {
    this.id = id;
    this.caller = caller;
    this.#service = service;
  }

  /** Whether something of the session is under way. */
  get busy(): boolean {
    return (this.#serving?.size ?? 0) > 0 || this.#stream !== undefined;
  }

  /** An exchange for a request of this session; undefined when its id is still in use. */
  exchange(id: RequestId, out: HttpOutgoing, accepts: Accepts): SessionExchange | undefined {
    this.#serving ??= new Map();
    if (this.#serving.has(id)) return undefined;
    const cancel = new Cancel();
    this.#serving.set(id, cancel);
    return new SessionExchange(id, this, out, accepts, cancel);
  }

  finished(id: RequestId): void {
    this.#serving?.delete(id);
  }

  /** `notifications/cancelled`: for an unknown or finished request it is ignored. */
  cancelled(params: Note['params']): void {
    this.#serving?.get(params?.['requestId'] as RequestId)?.cancel(new AbortError(params?.['reason']));
  }

  /** Sends a request of the server's by `send` and waits for the client to post the answer. */
  ask(send: (text: string) => boolean, call: Call, options: RequestOptions = {}): Promise<Reply> {
    const id = `s${++this.#lastAsk}`;
    const asking = (this.#asking ??= new Map<RequestId, Asking>());
    return new Promise<Reply>((resolve, reject) => {
      asking.set(id, { resolve, reject });
      options.cancel?.onCancel((reason) => {
        if (!asking.delete(id)) return;
        send(noteText('notifications/cancelled', { requestId: id }));
        reject(McpError.is(reason) ? reason : new AbortError(reason, { outcome: 'unknown' }));
      });
      send(requestText(id, call.method, call.params));
    });
  }

  /** The client's answer to something asked; false when nobody waits for it. */
  answered(id: RequestId, reply: Reply): boolean {
    const asking = this.#asking?.get(id);
    if (asking === undefined) return false;
    this.#asking?.delete(id);
    asking.resolve(reply);
    return true;
  }

  /** An answer that is none: whoever waits for it learns of that. */
  misanswered(id: RequestId, problem: string): void {
    const asking = this.#asking?.get(id);
    this.#asking?.delete(id);
    asking?.reject(new InvalidResponseError(problem));
  }

  /** Takes the GET stream; false when the session has one already, or is over. */
  attach(out: HttpOutgoing): boolean {
    return this.#post({ on: 'stream' }, out);
  }

  end(): void {
    this.#post({ on: 'end' });
  }

  #post(input: session.Input, out?: HttpOutgoing): boolean {
    const [state, effects] = session.step(this.#state, input);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.do) {
        case 'attach-stream':
          this.#attach(out as HttpOutgoing);
          return true;
        case 'refuse-stream':
          return false;
        case 'end-stream':
          this.#stream?.out.end();
          this.#detach();
          break;
        case 'dissolve':
          this.#dissolve();
          break;
      }
    }
    return true;
  }

  #attach(out: HttpOutgoing): void {
    const listening = new Cancel();
    this.#stream = { out, listening };
    out.open(streamHeaders);
    // A comment makes proxies pass the head on at once.
    out.write(': open\n\n');
    out.onGone(() => {
      this.#detach();
      this.#post({ on: 'stream-gone' });
    });
    const exchange = new StandingExchange(this.caller, out, listening);
    this.#service
      .handle({ method: 'subscriptions/listen', params: { notifications: everyChange } }, exchange)
      .catch(() => undefined);
  }

  #detach(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.listening.cancel(new AbortError('the stream has gone'));
  }

  #dissolve(): void {
    for (const cancel of this.#serving?.values() ?? []) cancel.cancel(new AbortError('the session has ended'));
    for (const asking of this.#asking?.values() ?? []) asking.reject(new ConnectionError('the session has ended'));
    this.#asking?.clear();
  }
}

interface Asking {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** A request in a legacy session: going away is not cancelling, and the caller can be asked. */
export class SessionExchange extends HttpExchange {
  readonly #session: LegacySession;
  readonly #given: Cancel;

  constructor(id: RequestId, session: LegacySession, out: HttpOutgoing, accepts: Accepts, cancel: Cancel) {
    super(id, session.caller, out, accepts);
    this.#session = session;
    this.#given = cancel;
  }

  override get cancel(): Cancel {
    return this.#given;
  }

  /** A question needs a stream to travel on. */
  get ask(): Exchange['ask'] {
    if (this.accepts === 'json') return undefined;
    return (call, options) => this.#session.ask((text) => this.frame(text), call, options);
  }

  override finish(reply: Reply): void {
    this.#session.finished(this.id);
    // Nothing is sent for a cancelled request; a caller that takes only JSON has to get some.
    if (this.#given.cancelled && this.accepts !== 'json') return this.drop();
    this.#given.done();
    super.finish(reply);
  }

  /** Legacy errors travel in a 200: only the door itself answers otherwise. */
  protected override statusOf(): number {
    return 200;
  }
}

/** What the session listens with for changes; its GET stream carries them. */
class StandingExchange implements Exchange {
  readonly id: RequestId = 'session';
  readonly standing = true;
  readonly caller: Caller;
  readonly cancel: Cancel;
  readonly #out: HttpOutgoing;

  constructor(caller: Caller, out: HttpOutgoing, cancel: Cancel) {
    this.caller = caller;
    this.#out = out;
    this.cancel = cancel;
  }

  emit(note: Note): boolean {
    return this.#out.write(frame(noteText(note.method, note.params)));
  }

  drained(): Promise<void> {
    return this.#out.drained();
  }
}
