import { ArgumentError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { isObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { checkNames } from '../base/options.ts';
import type { CacheHints, Icon, Implementation } from '../model/types.ts';
import type { Bus, Kv, Validator } from '../ports/index.ts';
import type { WebDoorOptions } from '../transport/web.ts';
import type { DeclaredCapabilities } from './capabilities.ts';
import type { OnWatch } from './watches.ts';

/** What a server says of itself, and how it works. */
export interface ServerOptions {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** Guidance for models on how to use the server; not a repetition of the tools' descriptions. */
  instructions?: string;
  /**
   * Where to find out why a call failed, with the stack: what handlers throw and callers are not told, results that are
   * none, misuse of the library, programming errors (`error`), odd handlers and callers (`warn`), all other failures of
   * tools (`debug`). On Node see `stderrLogger`. Default: silent, but `serveHttp` and `serveStdio` say once on stderr
   * that there was an error.
   */
  logger?: Logger;
  /** Checks plain JSON Schemas. */
  validator?: Validator;
  /** What is declared besides what follows from what is registered. */
  capabilities?: DeclaredCapabilities;
  /**
   * Most subscriptions open at a time, over all callers; more are refused, over HTTP with 503. What doors listen with for
   * legacy sessions is not counted. Default 10,000.
   */
  maxSubscriptions?: number;
  /** Most subscriptions of one principal; callers without a name are bounded by `maxSubscriptions`. Default 100. */
  maxSubscriptionsPerPrincipal?: number;
  /**
   * Tells other processes that serve the same of changes, and hears of theirs: servers of one `name` on one bus. Default:
   * none, changes are told to those who listen at this process.
   */
  bus?: Bus;
  /**
   * Told when the first caller watches a resource, by whichever way; `signal` aborts when the last of them has gone. Find
   * out about changes meanwhile, and say `server.changed.resource(uri)`. The URI is what a caller named: it may be no
   * resource of this server.
   *
   * ```ts
   * onWatch: (uri, { signal }) => void poll(uri, { signal, onChange: () => server.changed.resource(uri) })
   * ```
   */
  onWatch?: OnWatch;
  /** Entries per page of a list. Default 1,000. */
  pageSize?: number;
  /** How long lists and the discovery may be reused, and by whom. Default `{ ttlMs: 0, cacheScope: 'private' }`. */
  cache?: CacheHints;
  /**
   * Secrets that seal what travels with a round trip, of at least 16 bytes each: the first one seals, all of them open,
   * so that keys can be changed. Processes that serve the same callers need the same. Default: one random key of this
   * process, made on first use.
   */
  stateKeys?: readonly (string | Uint8Array)[];
  /** How long a caller may take for a round, in milliseconds. Default 600,000. */
  stateTtlMs?: number;
  /**
   * How long a legacy caller may take to answer a question, in milliseconds; `Infinity` for as long as it likes. Default
   * 600,000.
   */
  askTimeoutMs?: number;
  /**
   * Remembers the rounds of tools that say `once`. Default: one in memory, of 10,000 rounds and 16 Mi characters; a
   * principal has a tenth of it, and those without a name half of it together.
   */
  store?: Kv;
  /**
   * How `fetch` of the server serves web requests: who may call, from which pages, and so on. Default: that of `webDoor`.
   */
  web?: Omit<WebDoorOptions, 'logger'>;
  /** Default: the platform's. */
  clock?: Clock;
}

/** What callers are told of a server: nothing but this, whatever else an object of options has. */
const told = ['name', 'version', 'title', 'description', 'websiteUrl', 'icons'] as const;

/** All that there is; a name that is missing here does not compile. */
const known: Readonly<Record<keyof ServerOptions, true>> = {
  name: true,
  version: true,
  title: true,
  description: true,
  websiteUrl: true,
  icons: true,
  instructions: true,
  logger: true,
  validator: true,
  capabilities: true,
  maxSubscriptions: true,
  maxSubscriptionsPerPrincipal: true,
  bus: true,
  onWatch: true,
  pageSize: true,
  cache: true,
  stateKeys: true,
  stateTtlMs: true,
  askTimeoutMs: true,
  store: true,
  web: true,
  clock: true,
};

/**
 * What callers are told of the server.
 *
 * @throws ArgumentError for options that there are not, or that cannot work
 */
export function infoOf(options: ServerOptions): Implementation {
  if (!isObject(options)) throw new ArgumentError('a server needs options: { name, version }');
  const { name, version, stateTtlMs, askTimeoutMs, bus, onWatch } = options;
  if (typeof name !== 'string' || name === '') throw new ArgumentError('a server needs a name');
  if (typeof version !== 'string') throw new ArgumentError('a server needs a version');
  checkNames('a server', options, known);
  if (stateTtlMs !== undefined && !(isAmount(stateTtlMs) && stateTtlMs < Infinity))
    throw new ArgumentError('stateTtlMs is a number of milliseconds above 0: what is sealed has to expire');
  if (askTimeoutMs !== undefined && !isAmount(askTimeoutMs))
    throw new ArgumentError('askTimeoutMs is a number of milliseconds above 0, or Infinity');
  for (const option of ['maxSubscriptions', 'maxSubscriptionsPerPrincipal'] as const) {
    const most = options[option];
    if (most !== undefined && !(Number.isSafeInteger(most) && most >= 0))
      throw new ArgumentError(`${option} is a whole number of at least 0`);
  }
  if (bus !== undefined && !(typeof bus?.publish === 'function' && typeof bus.subscribe === 'function'))
    throw new ArgumentError('bus is an object with publish and subscribe');
  if (onWatch !== undefined && typeof onWatch !== 'function') throw new ArgumentError('onWatch is a function');
  const given = told.filter((member) => options[member] !== undefined);
  // Each of them has the type of its name.
  return Object.fromEntries(given.map((member) => [member, options[member]])) as unknown as Implementation;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
