import type { HttpOutgoing } from './http-types.ts';

/** Adds headers to whatever the answer is. */
export class HeadedOutgoing implements HttpOutgoing {
  readonly #out: HttpOutgoing;
  readonly #more: Readonly<Record<string, string>>;

  constructor(out: HttpOutgoing, more: Readonly<Record<string, string>>) {
    this.#out = out;
    this.#more = more;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    this.#out.send(status, this.#headed(headers), body);
  }
  open(headers: Readonly<Record<string, string>>): void {
    this.#out.open(this.#headed(headers));
  }

  #headed(headers: Readonly<Record<string, string>>): Record<string, string> {
    const all = { ...headers, ...this.#more };
    const { vary } = headers;
    // An answer may depend on several headers of its request.
    if (vary !== undefined && this.#more['vary'] !== undefined) all['vary'] = `${vary}, ${this.#more['vary']}`;
    return all;
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
