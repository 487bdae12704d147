import type { Cancel } from '../base/cancel.ts';
import { ArgumentError, CapabilityError, McpError, RpcError } from '../base/errors.ts';
import { sample, type Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { within } from '../base/within.ts';
import type { LogMessage } from '../model/inputs.ts';
import type { LogLevel } from '../model/types.ts';
import type { Note } from '../ports/index.ts';
import { declares, demand } from './capabilities.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions, Settings } from './options.ts';
import type { Requests } from './requests.ts';

/** Which of the logger's functions a level goes to, for all levels there are. */
const levels: ReadonlyMap<string, keyof Logger> = new Map<LogLevel, keyof Logger>([
  ['debug', 'debug'],
  ['info', 'info'],
  ['notice', 'info'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emergency', 'error'],
]);

/** Longest line that a message becomes in the logger, in characters. */
const maxLogCharacters = 10_000;

const setLevel = 'logging/setLevel';

/** Log messages of a server: asking for them and handing them on (server/utilities/logging). */
export class ClientLog {
  readonly #settings: Settings;
  readonly #onLog: ((message: LogMessage) => void) | undefined;
  #level: LogLevel | undefined;

  /** @throws ArgumentError for a level that is none */
  constructor(settings: Settings, level: LogLevel | undefined, onLog: ((message: LogMessage) => void) | undefined) {
    this.#settings = settings;
    this.#onLog = onLog;
    if (level !== undefined) this.#level = checked(level);
  }

  get level(): LogLevel | undefined {
    return this.#level;
  }

  /** Sets the level, for this connection and those that follow it. One that is refused leaves it as it was. */
  async set(level: LogLevel, requests: Requests, live: Connection | undefined, options: CallOptions): Promise<void> {
    const before = this.#level;
    this.#level = checked(level);
    // The next connection begins with it.
    if (live === undefined) return;
    if (live.wire.facts.logsPerRequest) return live.meta?.askForLogs(level);
    try {
      await requests.send((connection) => {
        demand(connection, 'logging', setLevel);
        return { method: setLevel, params: { level } };
      }, options);
    } catch (error) {
      const refused = error instanceof CapabilityError || error instanceof RpcError;
      if (refused && this.#level === level) this.#level = before;
      throw error;
    }
  }

  /** Tells a new connection the level. A server that does not answer keeps nobody waiting for long. */
  async begin(connection: Connection, cancel: Cancel): Promise<void> {
    const level = this.#level;
    if (level === undefined) return;
    if (connection.wire.facts.logsPerRequest) return connection.meta?.askForLogs(level);
    if (!declares(connection, 'logging')) return;
    const { clock, discoverTimeoutMs, logger } = this.#settings;
    const asked = connection.link.request({ method: setLevel, params: { level } }, { cancel }).then(
      ({ error }) => {
        if (error !== undefined) logger.warn(`${setLevel}: the server refused: ${sample(error.message)}`);
      },
      (error: unknown) => logger.warn(`${setLevel}: ${McpError.from(error).message}`),
    );
    await within(discoverTimeoutMs, asked, undefined, clock);
    if (level !== this.#level) await this.begin(connection, cancel);
  }

  /** Takes a `notifications/message`. */
  take({ params }: Note): void {
    const { level: said, logger: name, data } = params ?? {};
    // A level nobody knows is no reason to lose a message.
    const level = typeof said === 'string' && levels.has(said) ? (said as LogLevel) : 'info';
    const message: LogMessage = { level, ...(typeof name === 'string' && { logger: name }), data };
    const { logger } = this.#settings;
    logger[levels.get(level) ?? 'info'](lineOf(message));
    safely(logger, () => this.#onLog?.(message), 'onLog threw');
  }
}

function checked(level: LogLevel): LogLevel {
  if (levels.has(level)) return level;
  throw new ArgumentError(`the log level must be one of ${[...levels.keys()].join(', ')}`);
}

/** One line, whatever the server wrote. */
function lineOf({ logger, data }: LogMessage): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  const line = `server log: ${logger === undefined ? '' : `${sample(logger, 100)}: `}${sample(text, maxLogCharacters)}`;
  return line.length > maxLogCharacters ? `${line.slice(0, maxLogCharacters - 1)}…` : line;
}
