/** Settings of {@link settle}. */
export interface SettleOptions {
  /** How many quiet turns in a row it takes. Default 3. */
  quietTurns?: number;
  /** Turns after which waiting is given up. Default 20,000, about a second. */
  maxTurns?: number;
}

/**
 * Resolves in a later turn of the event loop, after all that is runnable at the time of the call.
 *
 * Each turn has a channel of its own: messages that follow each other on one channel may be handed over in a single
 * turn, which would keep everything else waiting. A timer would take a millisecond, and may be faked by the test.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/**
 * Runs the event loop until nothing is due: until `isQuiet` was true after several turns in a row. Promises of any
 * length settle within one turn; `isQuiet` is for work that takes longer, such as cryptography.
 *
 * @param isQuiet asked after each turn; default: always quiet
 * @throws Error when it does not become quiet within `maxTurns`
 */
export async function settle(isQuiet: () => boolean = always, options: SettleOptions = {}): Promise<void> {
  const { quietTurns = 3, maxTurns = 20_000 } = options;
  let quiet = 0;
  for (let turns = 0; quiet < quietTurns; turns++) {
    if (turns === maxTurns) throw new Error(`settle: not quiet after ${maxTurns} turns of the event loop`);
    await nextTurn();
    quiet = isQuiet() ? quiet + 1 : 0;
  }
}

function always(): boolean {
  return true;
}
