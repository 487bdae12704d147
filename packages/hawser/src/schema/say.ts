/** Words for messages. */
import { sample } from '../base/logger.ts';

/** A value, short. */
export function shown(value: unknown): string {
  const isLong = typeof value === 'string' && value.length > 80;
  return isLong ? `${sample(JSON.stringify(value.slice(0, 80)), 500)}…` : sample(JSON.stringify(value) ?? '', 80);
}

/** Choices, the first of many: as they are, or as `word` says them. */
export function list<T>(choices: readonly T[], word: (choice: T) => string = String): string {
  const some = choices.slice(0, 20).map(word);
  if (choices.length > some.length) return `one of ${some.join(', ')} and ${choices.length - some.length} more`;
  return some.length < 2 ? some.join() : `${some.slice(0, -1).join(', ')} or ${String(some.at(-1))}`;
}

/** A number of things. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
