/** An `AbortController` that knows how many listeners its signal has. */
export interface CountedController extends AbortController {
  /** Listeners for `abort` on the signal that have been neither removed nor called. */
  readonly listeners: number;
}

/** Makes an {@link CountedController}. Only listeners count, not signals that follow this one by `AbortSignal.any`. */
export function countedController(): CountedController {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ) => {
    if (type === 'abort' && listener !== null && !signal.aborted) listening.add(listener);
    if (listener !== null) add(type, listener, options);
  };
  signal.removeEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ) => {
    if (type === 'abort') listening.delete(listener);
    if (listener !== null) remove(type, listener, options);
  };
  // A signal aborts once: whatever listens is called and will never be again.
  add('abort', () => listening.clear());
  return Object.defineProperty(controller, 'listeners', { get: () => listening.size }) as CountedController; // as defined
}
