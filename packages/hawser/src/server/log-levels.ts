import { logLevels } from '../model/log-levels.ts';
import type { LogLevel } from '../model/types.ts';
import type { Call, Caller, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { invalidParams } from './definitions.ts';

/** From which level on a caller wants log messages: a legacy session says it once, a modern request each time. */
export class LogLevels {
  readonly #ofSession = new WeakMap<object, LogLevel>();

  /** Remembers what a legacy session asked for; without a session there is nothing to remember it by. */
  set({ session }: Caller, level: LogLevel): void {
    if (session !== undefined) this.#ofSession.set(session, level);
  }

  /** The least level to send; undefined: nothing. To legacy callers without a session no log messages were announced. */
  of({ revision, session, logLevel }: Caller): LogLevel | undefined {
    if (wireOf(revision).facts.logsPerRequest) return logLevel;
    return session && (this.#ofSession.get(session) ?? 'info');
  }

  passes(caller: Caller, level: LogLevel): boolean {
    const least = this.of(caller);
    return least !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(least);
  }
}

/** `logging/setLevel` of a legacy session; the reply when it cannot be (2025-11-25 server/utilities/logging). */
export function setLogLevel({ params }: Call, caller: Caller, levels: LogLevels): Reply | undefined {
  const level = logLevels.find((each) => each === params?.['level']);
  if (level === undefined) return invalidParams(`params.level must be one of ${logLevels.join(', ')}`);
  levels.set(caller, level);
  return undefined;
}
