import { logLevels } from '../model/log-levels.ts';
import type { LogLevel } from '../model/types.ts';
import type { Call, Caller, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { invalidParams } from './definitions.ts';
import type { Sessions } from './session.ts';

/** From which level on a caller wants log messages: a legacy session says it once, a modern request each time. */
export class LogLevels {
  readonly #sessions: Sessions;
  /** Whether the server has log messages at all. */
  readonly #logs: boolean;

  constructor(sessions: Sessions, logs = true) {
    this.#sessions = sessions;
    this.#logs = logs;
  }

  /** Remembers what a legacy session asked for; without a session there is nothing to remember it by. */
  set(caller: Caller, level: LogLevel): void {
    const session = this.#sessions.of(caller);
    if (session !== undefined) session.logLevel = level;
  }

  /** The least level to send; undefined: nothing. To legacy callers without a session no log messages were announced. */
  of(caller: Caller): LogLevel | undefined {
    if (!this.#logs) return undefined;
    if (wireOf(caller.revision).facts.logsPerRequest) return caller.logLevel;
    return caller.session && (this.#sessions.known(caller)?.logLevel ?? 'info');
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
