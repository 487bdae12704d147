import { Cancel } from '../../src/base/cancel.ts';
import type { RequestId } from '../../src/model/types.ts';
import type { Caller, Exchange, Note } from '../../src/ports/index.ts';

/** A listener by hand: it takes what it is sent, until it is full. With a session it is what a door listens with. */
export class Listener implements Exchange {
  readonly cancel = new Cancel();
  readonly caller: Caller;
  readonly id: RequestId;
  readonly standing: boolean;
  readonly taken: Note[] = [];
  full = false;
  #drained: (() => void)[] = [];

  constructor(caller: Partial<Caller> = {}, id: RequestId = 1) {
    this.id = id;
    this.caller = { revision: caller.session === undefined ? '2026-07-28' : '2025-11-25', capabilities: {}, ...caller };
    this.standing = caller.session !== undefined;
  }

  emit({ method, params }: Note): boolean {
    this.taken.push(params === undefined ? { method } : { method, params });
    return !this.full;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  async makeRoom(): Promise<void> {
    this.full = false;
    for (const resolve of this.#drained.splice(0)) resolve();
    await Promise.resolve();
  }

  get methods(): string[] {
    return this.taken.map(({ method }) => method.replace('notifications/', ''));
  }
}
