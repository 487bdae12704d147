import type { Bus } from '../ports/index.ts';

/**
 * A bus within this process, for servers that serve the same from one process, and for tests. Several processes need
 * one that they reach all, such as Redis.
 */
export function memoryBus(): Bus {
  const topics = new Map<string, Set<(message: string) => void>>();
  return {
    async publish(topic, message) {
      const those = topics.get(topic);
      for (const receive of those ?? []) queueMicrotask(() => those?.has(receive) && receive(message));
    },
    async subscribe(topic, receive) {
      // One function may be given twice: it is subscribed twice then.
      const own = (message: string): void => receive(message);
      const known = topics.get(topic);
      if (known === undefined) topics.set(topic, new Set([own]));
      else known.add(own);
      return async () => {
        const those = topics.get(topic);
        those?.delete(own);
        if (those?.size === 0) topics.delete(topic);
      };
    },
  };
}
