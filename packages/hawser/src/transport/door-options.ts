import { systemClock, type Clock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import { checkNames, count, oneOf, texts } from '../base/options.ts';
import { positive } from '../base/positive.ts';
import { checkedOrigins, type AllowedOrigins } from '../core/origins.ts';
import type { Authenticate, EventLog } from '../ports/index.ts';
import type { DoorSettings, LegacyMode } from './door.ts';
import { defaultMaxEventLogBytes } from './event-budget.ts';
import { defaultKeepAliveMs } from './keep-alive.ts';
import type { SessionLimits } from './legacy-sessions.ts';

/** What doors can be told; that of each platform takes a part of it. */
export interface DoorOptions {
  authenticate?: Authenticate | undefined;
  allowedHosts?: readonly string[] | 'any' | undefined;
  allowedOrigins?: AllowedOrigins | undefined;
  maxBodyBytes?: number | undefined;
  legacy?: LegacyMode | undefined;
  maxSessions?: number | undefined;
  maxSessionsPerPrincipal?: number | undefined;
  sessionIdleMs?: number | undefined;
  streamsKeepAlive?: boolean | undefined;
  eventLog?: EventLog | undefined;
  maxEventLogBytes?: number | undefined;
  requestTimeoutMs?: number | undefined;
  keepAliveMs?: number | undefined;
  stalledMs?: number | undefined;
  logger?: Logger | undefined;
  clock?: Clock | undefined;
}

/** What makes the door of a platform different from others. */
interface DoorKind {
  /** What errors call it. */
  what: string;
  /** All of its options. */
  known: Readonly<Record<string, true>>;
  /** How it can serve legacy callers; the first is how it does unless told otherwise. */
  legacy: readonly [LegacyMode, ...LegacyMode[]];
  /** Hosts that requests may be addressed to unless told otherwise. */
  allowedHosts: readonly string[] | 'any';
}

const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultRequestTimeoutMs = 30_000;
const defaultIdleMs = 30 * 60_000;
const defaultStalledMs = 5 * 60_000;

/**
 * The options of a door with its defaults.
 *
 * @throws ArgumentError for options that there are not, or that cannot work, alone or together
 */
export function doorSettings(options: DoorOptions, { what, known, legacy, allowedHosts }: DoorKind): DoorSettings {
  checkNames(what, options, known);
  const { authenticate } = options;
  if (authenticate !== undefined && typeof authenticate !== 'function')
    throw new ArgumentError('authenticate must be a function');
  const mode = oneOf('legacy', options.legacy, legacy);
  if (mode !== 'sessions') refuseSessionOptions(options, mode);
  return {
    policy: {
      allowedHosts: hosts(options.allowedHosts ?? allowedHosts),
      allowedOrigins: checkedOrigins(options.allowedOrigins),
      maxBodyBytes: positive('maxBodyBytes', options.maxBodyBytes, defaultMaxBodyBytes, 'bytes'),
    },
    authenticate,
    legacy: mode,
    sessions: sessionLimits(options),
    eventLog: options.eventLog,
    maxEventLogBytes: positive('maxEventLogBytes', options.maxEventLogBytes, defaultMaxEventLogBytes, 'bytes'),
    requestTimeoutMs: positive('requestTimeoutMs', options.requestTimeoutMs, defaultRequestTimeoutMs),
    keepAliveMs: positive('keepAliveMs', options.keepAliveMs, defaultKeepAliveMs),
    stalledMs: positive('stalledMs', options.stalledMs, defaultStalledMs),
    logger: options.logger ?? silent,
    clock: options.clock ?? systemClock,
  };
}

function hosts(allowed: readonly string[] | 'any'): readonly string[] | 'any' {
  return allowed === 'any' ? allowed : texts('allowedHosts', allowed).map((host) => host.toLowerCase());
}

function sessionLimits(options: DoorOptions): SessionLimits {
  return {
    idleMs: positive('sessionIdleMs', options.sessionIdleMs, defaultIdleMs),
    max: count('maxSessions', options.maxSessions, 10_000),
    maxPerPrincipal: count('maxSessionsPerPrincipal', options.maxSessionsPerPrincipal, 100),
    streamsKeepAlive: oneOf('streamsKeepAlive', options.streamsKeepAlive, [false, true]),
  };
}

const ofSessions = [
  'maxSessions',
  'maxSessionsPerPrincipal',
  'sessionIdleMs',
  'streamsKeepAlive',
  'eventLog',
  'maxEventLogBytes',
] as const;

function refuseSessionOptions(options: DoorOptions, mode: LegacyMode): void {
  const given = ofSessions.find((name) => options[name] !== undefined);
  if (given !== undefined)
    throw new ArgumentError(`${given} is of no use with legacy: '${mode}': there are no sessions`);
}
