import type { Writable } from 'node:stream';
import picocolors from 'picocolors';
import type { Environment } from './options.ts';

/** A set of functions that colour text, or leave it alone. */
export type Paint = ReturnType<typeof picocolors.createColors>;

/** How to write: colours or none, and how many columns there are (`Infinity` when it is no terminal). */
export interface Style {
  readonly paint: Paint;
  readonly width: number;
}

/** What is needed of `process.stdout` and `process.stderr`. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Whether to colour: `--no-color` and NO_COLOR forbid, FORCE_COLOR demands, else only a terminal is coloured. */
export function wantsColor(stream: OutputStream, wanted: boolean, environment: Environment): boolean {
  const set = (name: string) => environment[name] !== undefined && environment[name] !== '';
  if (!wanted || set('NO_COLOR')) return false;
  if (set('FORCE_COLOR')) return environment['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}

/** How to write to a stream. */
export function styleOf(stream: OutputStream, wanted: boolean, environment: Environment): Style {
  return {
    paint: picocolors.createColors(wantsColor(stream, wanted, environment)),
    width: stream.isTTY === true ? Math.max(40, stream.columns ?? 80) : Infinity,
  };
}

/** How many lines are kept while a question is asked. */
const mostHeld = 1000;

/**
 * One of the two streams of the command, with at most one live line at its end. A reader that goes away
 * (`hawser … | head -1`) is no error: what is written afterwards is dropped.
 */
export class Output {
  readonly style: Style;
  readonly isTerminal: boolean;
  readonly #stream: OutputStream;
  #gone = false;
  #failure: string | undefined;
  #live = false;
  #held: string[] | undefined;
  #dropped = 0;

  constructor(stream: OutputStream, style: Style) {
    this.#stream = stream;
    this.style = style;
    this.isTerminal = stream.isTTY === true;
    stream.on('error', (error: Error & { code?: string }) => {
      this.#gone = true;
      if (error.code !== 'EPIPE') this.#failure ??= error.message;
    });
  }

  /** Writes text and a line end. */
  line(text: string): void {
    if (this.#held !== undefined) {
      if (this.#held.push(text) > mostHeld) this.#dropped += this.#held.splice(0, mostHeld / 2).length;
      return;
    }
    this.clearLive();
    this.#write(`${text}\n`);
  }

  /** Writes bytes as they are. */
  bytes(data: Uint8Array): void {
    this.clearLive();
    this.#write(data);
  }

  /** Shows a line that the next one replaces. Only for terminals. */
  live(text: string): void {
    if (this.#held !== undefined) return;
    this.#write(`\r${text}\x1b[K`);
    this.#live = true;
  }

  /** Takes the live line away. */
  clearLive(): void {
    if (this.#live) this.#write('\r\x1b[K');
    this.#live = false;
  }

  /** Keeps lines back while a question stands on the terminal; {@link release} writes them. */
  hold(): void {
    this.clearLive();
    this.#held ??= [];
  }

  /** Ends {@link hold}. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (this.#dropped > 0) this.line(`… ${this.#dropped} lines are left out`);
    this.#dropped = 0;
    for (const text of held) this.line(text);
  }

  /** Resolves when all that was written has been handed on, with why it could not be, such as a full disk. */
  async flushed(): Promise<string | undefined> {
    await new Promise<void>((resolve) => {
      if (this.#gone) resolve();
      else this.#stream.write('', () => resolve());
    });
    return this.#failure;
  }

  #write(text: string | Uint8Array): void {
    if (!this.#gone) this.#stream.write(text);
  }
}
