/** Waits for a condition that somebody's `wake` makes it look at. */
export class Until {
  #waiting;

  wake = () => this.#waiting?.();

  async holds(condition, what, limitMs = 30_000) {
    if (condition()) return;
    let timer;
    try {
      await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`${what()} after ${limitMs / 1000} s`)), limitMs);
        this.#waiting = () => {
          if (condition()) resolve();
        };
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }
}

/** Asks again and again until the answer is as it should be; the last one, when the time is over. */
export async function settles(ask, good, limitMs = 10_000) {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (good(value) || performance.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
