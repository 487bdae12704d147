import { aborted } from '../base/aborted.ts';
import { Cancel } from '../base/cancel.ts';
import type { Timer } from '../base/clock.ts';
import { AbortError, ConnectionError, InvalidResponseError } from '../base/errors.ts';
import { silent } from '../base/logger.ts';
import type { LegacyCaller } from '../core/handshake.ts';
import type { Accepts } from '../core/head.ts';
import * as session from '../core/session.ts';
import { errorCodes } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, Caller, Note, Reply, RequestOptions, Service } from '../ports/index.ts';
import { noteText, requestText, wireOf } from '../wire/index.ts';
import { answer } from './answer.ts';
import type { Keeping } from './keeping.ts';
import { streamHeaders, type HttpOutgoing } from './http-types.ts';
import { ResumableStream } from './resumable-stream.ts';
import { Resumption } from './resumption.ts';
import { SessionExchange } from './session-exchange.ts';
import { StandingExchange, standingListen } from './standing.ts';

/** How long changes are kept for a caller whose stream has gone. */
const awayMs = 5 * 60_000;

/** Who keeps a session for as long as it is used. */
export interface SessionKeeper {
  /** A request of the session has come, or has ended. */
  used(session: LegacySession): void;
  /** The caller of the session's own stream has gone. */
  streamGone(session: LegacySession): void;
}

/** One legacy session over HTTP. Idle, it is a few small objects, however many tools the server has. */
export class LegacySession {
  readonly id: string;
  readonly caller: LegacyCaller;
  readonly resumption: Resumption;
  /** When it was last used, for its keeper. */
  lastUsedMs = 0;
  readonly #service: Service;
  readonly #keeper: SessionKeeper | undefined;
  #state: session.State = session.initial;
  /** Made on first use; most sessions run one request at a time or none. */
  #serving: Map<RequestId, Cancel> | undefined;
  #asking: Map<RequestId, Asking> | undefined;
  #lastAsk = 0;
  #standing: Standing | undefined;

  constructor(id: string, caller: LegacyCaller, service: Service, keeping: Keeping, keeper?: SessionKeeper) {
    this.id = id;
    this.caller = caller;
    this.resumption = new Resumption(keeping, wireOf(caller.revision).facts.pollsStreams);
    this.#service = service;
    this.#keeper = keeper;
  }

  /** Whether somebody waits for a request: one that was cancelled may run on, but for nobody. */
  get inFlight(): boolean {
    for (const cancel of this.#serving?.values() ?? []) if (!cancel.cancelled) return true;
    return false;
  }

  /** Whether the session's own stream is open. */
  get streaming(): boolean {
    return this.#state.at === 'alive' && this.#state.stream === 'open';
  }

  /**
   * An exchange for a request of this session; undefined when its id is still in use.
   *
   * @param caller of this very request
   */
  exchange(
    id: RequestId,
    out: HttpOutgoing,
    accepts: Accepts,
    caller: Caller = this.caller,
  ): SessionExchange | undefined {
    this.#serving ??= new Map();
    if (this.#serving.has(id)) return undefined;
    const cancel = new Cancel();
    this.#serving.set(id, cancel);
    return new SessionExchange(id, this, caller, new ResumableStream(this.resumption, out), accepts, cancel);
  }

  finished(id: RequestId): void {
    this.#serving?.delete(id);
    this.#keeper?.used(this);
  }

  /** `notifications/cancelled`: for an unknown or finished request it is ignored. */
  cancelled(params: Note['params']): void {
    this.#serving?.get(params?.['requestId'] as RequestId)?.cancel(new AbortError(params?.['reason']));
  }

  /** Sends a request of the server's and waits for the client to post the answer. */
  async ask(way: AskingWay, call: Call, { cancel }: RequestOptions = {}): Promise<Reply> {
    if (cancel?.cancelled === true) throw aborted(cancel.reason, 'not-sent');
    const id = `s${++this.#lastAsk}`;
    const text = requestText(id, call.method, call.params);
    return new Promise<Reply>((resolve, reject) => {
      (this.#asking ??= new Map()).set(id, { resolve, reject, settled: () => way.settled(text) });
      if (!way.question(text)) {
        this.#settle(id);
        return reject(new ConnectionError('the caller has gone', { outcome: 'not-sent' }));
      }
      cancel?.onCancel((reason) => {
        if (this.#settle(id) === undefined) return;
        way.note(noteText('notifications/cancelled', { requestId: id }));
        reject(aborted(reason, 'unknown'));
      });
    });
  }

  /** The client's answer to something asked; one that nobody waits for is passed over. */
  answered(id: RequestId, reply: Reply): void {
    this.#settle(id)?.resolve(reply);
  }

  /** An answer that is none: whoever waits for it learns of that. */
  misanswered(id: RequestId, problem: string): void {
    this.#settle(id)?.reject(new InvalidResponseError(problem));
  }

  #settle(id: RequestId): Asking | undefined {
    const asking = this.#asking?.get(id);
    this.#asking?.delete(id);
    asking?.settled();
    return asking;
  }

  /**
   * Takes the GET stream; false when the session has one already, or is over. One whose caller takes nothing is likely
   * to be that of a connection that has vanished without a word, and stands in nobody's way.
   */
  attach(out: HttpOutgoing): boolean {
    if (this.#standing?.stream.unsent === true) this.#post({ on: 'stream-gone' });
    return this.#post({ on: 'stream' }, out);
  }

  /**
   * Takes a GET for the rest of a stream, of whichever it is that the last event came on.
   *
   * @returns false when there is no such stream any more, or never was
   */
  resume(lastEventId: string, out: HttpOutgoing): boolean {
    const last = this.resumption.read(lastEventId);
    if (last === undefined) return false;
    if (last.standing) return this.#post({ on: 'resume' }, out, last.event);
    const stream = this.resumption.stream(last.stream);
    stream?.resume(last.event, out);
    return stream !== undefined;
  }

  end(): void {
    this.#post({ on: 'end' });
  }

  #post(input: session.Input, out?: HttpOutgoing, after = 0): boolean {
    const [state, effects] = session.step(this.#state, input);
    this.#state = state;
    let taken = true;
    for (const effect of effects) {
      switch (effect.do) {
        case 'attach-stream':
          if (out !== undefined) this.#attach(out);
          break;
        case 'resume-stream':
          this.#standing?.timer?.cancel();
          if (out !== undefined) this.#standing?.stream.resume(after, out);
          break;
        case 'refuse-stream':
          taken = false;
          break;
        case 'await-return':
          this.#awaitReturn();
          break;
        case 'end-stream':
          this.#detach();
          break;
        case 'dissolve':
          this.#dissolve();
          break;
      }
    }
    return taken;
  }

  #attach(out: HttpOutgoing): void {
    const listening = new Cancel();
    const stream = new ResumableStream(this.resumption, out, { onAway: () => this.#post({ on: 'stream-gone' }) });
    this.#standing = { stream, listening, timer: undefined };
    stream.open(streamHeaders);
    const exchange = new StandingExchange(this.caller, listening, stream);
    answer(this.#service, standingListen, exchange, silent, ({ error }) => {
      // A service without changes has nothing to tell; any other end would leave a stream that is deaf for good.
      if (error?.code === errorCodes.methodNotFound || this.#standing?.stream !== stream) return;
      this.#post({ on: 'stopped' });
    });
  }

  #awaitReturn(): void {
    this.#keeper?.streamGone(this);
    const standing = this.#standing;
    if (standing === undefined) return;
    standing.timer = this.resumption.clock.after(awayMs, () => this.#post({ on: 'expired' }));
  }

  #detach(): void {
    const standing = this.#standing;
    this.#standing = undefined;
    standing?.timer?.cancel();
    standing?.listening.cancel(new AbortError('the stream has gone'));
    standing?.stream.end();
  }

  #dissolve(): void {
    for (const cancel of this.#serving?.values() ?? []) cancel.cancel(new AbortError('the session has ended'));
    for (const asking of this.#asking?.values() ?? []) asking.reject(new ConnectionError('the session has ended'));
    this.#asking?.clear();
    this.resumption.clear();
  }
}

/** The session's own stream, and what it listens with for changes. */
interface Standing {
  readonly stream: ResumableStream;
  readonly listening: Cancel;
  /** Runs while the caller is away. */
  timer: Timer | undefined;
}

interface Asking {
  resolve(reply: Reply): void;
  reject(error: Error): void;
  settled(): void;
}

/** The stream that a question travels on. */
export interface AskingWay {
  /** False: nobody will ever see it. */
  question(text: string): boolean;
  note(text: string): void;
  /** The question with this text is answered, or taken back. */
  settled(text: string): void;
}
