import { headerNames } from '../wire/index.ts';
import type { HttpOutgoing } from './http-types.ts';

/** Adds the id of the new session to whatever answers `initialize`. */
export class NamedOutgoing implements HttpOutgoing {
  readonly #out: HttpOutgoing;
  readonly #session: string;

  constructor(out: HttpOutgoing, session: string) {
    this.#out = out;
    this.#session = session;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    this.#out.send(status, { ...headers, [headerNames.session]: this.#session }, body);
  }
  open(headers: Readonly<Record<string, string>>): void {
    this.#out.open({ ...headers, [headerNames.session]: this.#session });
  }
  get unsent(): boolean {
    return this.#out.unsent;
  }
  write(text: string): boolean {
    return this.#out.write(text);
  }
  drained(): Promise<void> {
    return this.#out.drained();
  }
  end(text?: string, passedOn?: () => void): void {
    this.#out.end(text, passedOn);
  }
  onGone(listener: () => void): void {
    this.#out.onGone(listener);
  }
}

/** Where notices of a request in a batch go: its answer is one JSON text. */
export const nowhere: HttpOutgoing = {
  send: () => undefined,
  open: () => undefined,
  unsent: false,
  write: () => true,
  drained: () => Promise.resolve(),
  end: () => undefined,
  onGone: () => undefined,
};
