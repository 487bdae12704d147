/** Servers that are broken on purpose, to see that the checks fail: `--broken NAME`. */

export const brokenKinds = ['crosstalk', 'crash', 'leak', 'cut'];

/** What the server does in the way of a sound one, or of `kind`. */
export function breakIt(kind, { secrets, callers }) {
  let calls = 0;
  return {
    /** crosstalk: once in a hundred calls, somebody else's secret. */
    secretFor(principal) {
      calls += 1;
      const wrong = kind === 'crosstalk' && calls % 100 === 0;
      return wrong ? callers.find(({ name }) => name !== principal).secret : secrets.get(principal);
    },
    /** leak: a call that is aborted never ends. crash: it breaks where nobody looks. */
    wait(ms, signal, delay) {
      if (kind === 'crash') signal.addEventListener('abort', () => void Promise.reject(new Error('broken on purpose')));
      if (kind !== 'leak') return delay(ms, undefined, { signal });
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => clearTimeout(timer));
      });
    },
    /** cut: no time for what runs. */
    close: (serving, options) => serving.close(kind === 'cut' ? { drainMs: 0 } : options),
  };
}
