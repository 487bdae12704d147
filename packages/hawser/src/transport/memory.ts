import type { Pipe } from '../ports/index.ts';

/** Two ends of a pipe in memory: what one writes, the other reads a microtask later. */
export function memoryPipe(): readonly [Pipe, Pipe] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.join(right);
  right.join(left);
  return [left, right];
}

const encoder = new TextEncoder();

class MemoryEnd implements Pipe {
  #other!: MemoryEnd;
  #sink: { chunk(bytes: Uint8Array): void; ended(error?: Error): void } | undefined;
  #early: Uint8Array[] = [];
  #ended = false;

  join(other: MemoryEnd): void {
    this.#other = other;
  }

  start(sink: { chunk(bytes: Uint8Array): void; ended(error?: Error): void }): void {
    this.#sink = sink;
    for (const bytes of this.#early.splice(0)) sink.chunk(bytes);
    if (this.#ended) sink.ended();
  }

  write(text: string): boolean {
    if (this.#ended) return false;
    const bytes = encoder.encode(text);
    queueMicrotask(() => this.#other.#receive(bytes));
    return true;
  }

  async drained(): Promise<void> {}

  async close(): Promise<void> {
    // What was written before the close still arrives.
    queueMicrotask(() => {
      this.#other.#end();
      this.#end();
    });
  }

  #receive(bytes: Uint8Array): void {
    if (this.#ended) return;
    if (this.#sink === undefined) this.#early.push(bytes);
    else this.#sink.chunk(bytes);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#sink?.ended();
  }
}
