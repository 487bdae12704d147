import type { Clock, Timer } from './clock.ts';

/** What is waited for, or `otherwise` when it has not come in time; the work goes on. */
export async function within<T>(timeoutMs: number, waited: Promise<T>, otherwise: T, clock: Clock): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<T>((resolve) => {
    timer = clock.after(timeoutMs, () => resolve(otherwise));
  });
  try {
    return await Promise.race([waited, late]);
  } finally {
    timer?.cancel();
  }
}
