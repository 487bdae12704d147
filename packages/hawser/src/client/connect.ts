import { systemClock } from '../base/clock.ts';
import { ArgumentError, ConnectionError } from '../base/errors.ts';
import { guarded } from '../base/logger.ts';
import { isObject } from '../base/json.ts';
import { maskUrl } from '../base/secret.ts';
import type { HttpPort, Open, Pipe, Service } from '../ports/index.ts';
import { defaultValidator } from '../schema/validator.ts';
import { directLink } from '../transport/direct.ts';
import { fetchPort } from '../transport/fetch.ts';
import { httpLink } from '../transport/http-client.ts';
import { headerSource } from '../transport/http-headers.ts';
import { pipeLink } from '../transport/pipe-client.ts';
import { revisions } from '../wire/index.ts';
import { Client } from './client.ts';
import { splitWords } from './command-line.ts';
import type { Endpoint } from './connections.ts';
import type { ConnectOptions, Protocol, Settings } from './options.ts';
import { positive } from '../base/positive.ts';

/** A program to start, and how. */
export interface Command {
  /** The program and its arguments; no shell has a part in it. */
  command: readonly [string, ...string[]];
  /** Variables for it, besides the few harmless ones it inherits (PATH, HOME and the like). */
  env?: Readonly<Record<string, string>> | undefined;
  /** Its working directory. */
  cwd?: string | undefined;
}

/** A server at the other end of a pipe, such as a socket. */
export interface PipeTarget {
  /**
   * The pipe, or what opens one. A pipe is used once: when it has ended, calls fail with a ConnectionError, unless there
   * is a function to open another.
   */
  pipe: Pipe | ((options: { signal?: AbortSignal | undefined }) => Pipe | Promise<Pipe>);
}

/**
 * What can be connected to: a URL, a command line split into words, a command, a server at the other end of a pipe, or a
 * server in this process.
 */
export type Target = string | URL | UrlTarget | Command | PipeTarget | Service;

/** A server behind a URL. */
export interface UrlTarget {
  url: string | URL;
  /** What messages call it. Default: the URL without user, password and query. */
  shownAs?: string | undefined;
}

/** What a platform brings. */
export interface Platform {
  /** The quick way to the network; without it `fetch` is used. */
  http?: (() => HttpPort) | undefined;
  /** Starts programs; without it commands are refused. */
  spawn?: ((command: Command, options: ConnectOptions) => Open) | undefined;
}

/** The library's name to servers, until told otherwise. */
const defaultClientInfo = { name: 'hawser', version: '0.1.0' };

/** Makes the `connect` of a platform. */
export function connectOn(platform: Platform): (target: Target, options?: ConnectOptions) => Promise<Client> {
  return async (target, options = {}) => {
    const settings = settle(options);
    const endpoint = endpointOf(target, options, settings, platform);
    return Client.open(endpoint, settings, options);
  };
}

function settle(options: ConnectOptions): Settings {
  if (!isThing(options)) throw new ArgumentError('connect: the options must be an object');
  const { clientInfo = defaultClientInfo, transport } = options;
  if (transport !== undefined && transport !== 'http' && transport !== 'stdio')
    throw new ArgumentError("transport must be 'http' or 'stdio'");
  if (typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string')
    throw new ArgumentError('clientInfo needs name and version');
  return {
    protocol: protocolOf(options.protocol),
    clientInfo,
    connectTimeoutMs: positive('connectTimeoutMs', options.connectTimeoutMs, 30_000),
    discoverTimeoutMs: positive('discoverTimeoutMs', options.discoverTimeoutMs, 5_000),
    timeoutMs: positive('timeoutMs', options.timeoutMs, 60_000),
    maxTimeoutMs: positive('maxTimeoutMs', options.maxTimeoutMs, 600_000),
    maxResponseBytes: positive('maxResponseBytes', options.maxResponseBytes, 16 * 1024 * 1024, 'bytes'),
    maxPages: positive('maxPages', options.maxPages, 1_000, 'pages'),
    strict: options.strict ?? false,
    maxRounds: positive('maxRounds', options.maxRounds, 10, 'rounds'),
    logger: guarded(options.logger),
    validator: options.validator ?? defaultValidator,
    clock: options.clock ?? systemClock,
  };
}

const protocols: ReadonlySet<unknown> = new Set<Protocol>(['auto', 'modern', 'legacy', ...revisions]);

function protocolOf(given: Protocol = 'auto'): Protocol {
  if (protocols.has(given)) return given;
  throw new ArgumentError(`protocol must be one of ${[...protocols].join(', ')}`);
}

function endpointOf(target: Target, options: ConnectOptions, settings: Settings, platform: Platform): Endpoint {
  if (typeof target === 'string') {
    if (/^https?:\/\//i.test(target)) return http(target, options, settings, platform);
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(target)?.[1];
    if (scheme !== undefined)
      throw new ArgumentError(`connect: ${scheme}: is not HTTP; a command is given as { command: [program, …] }`);
    const [program, ...args] = splitWords(target);
    if (program === undefined) throw new ArgumentError('connect: an empty string is neither a URL nor a command');
    return command({ command: [program, ...args] }, options, settings, platform);
  }
  if (target instanceof URL) return http(target.href, options, settings, platform);
  // Untyped callers may give anything.
  if (!isThing(target)) throw noTarget();
  if ('url' in target) return http(String(target.url), options, settings, platform, target.shownAs);
  if ('command' in target) return command(target, options, settings, platform);
  if ('pipe' in target) return pipe(target, options, settings);
  if (typeof target.answer !== 'function') throw noTarget();
  if (options.transport !== undefined)
    throw new ArgumentError(`connect: a server in process, where transport is '${options.transport}'`);
  return {
    name: 'the server in process',
    kind: 'pipe',
    open: (inbound) => Promise.resolve(directLink(target, inbound)),
  };
}

/** Whether it is an object at all, whatever its type promises. */
function isThing(value: unknown): boolean {
  return isObject(value);
}

function noTarget(): ArgumentError {
  return new ArgumentError(
    'connect: the target must be a URL, a command line, { url }, { command: [program, …] }, { pipe } or a server in this process',
  );
}

function http(
  url: string,
  options: ConnectOptions,
  settings: Settings,
  platform: Platform,
  shownAs?: string,
): Endpoint {
  if (shownAs !== undefined && typeof shownAs !== 'string') throw new ArgumentError('connect: shownAs must be text');
  if (options.transport === 'stdio') throw new ArgumentError("connect: a URL, where transport is 'stdio'");
  if (!URL.canParse(url)) throw new ArgumentError('connect: the URL cannot be read');
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new ArgumentError(`connect: ${parsed.protocol} is not HTTP`);
  if (parsed.username !== '' || parsed.password !== '')
    throw new ArgumentError('connect: credentials do not belong in a URL: use headers');
  parsed.hash = '';
  const port =
    options.http ?? (options.fetch === undefined ? (platform.http?.() ?? fetchPort()) : fetchPort(options.fetch));
  const headers = options.headers && headerSource(options.headers);
  return {
    name: shownAs ?? maskUrl(parsed),
    kind: 'http',
    open: (inbound) =>
      Promise.resolve(
        httpLink(parsed.href, inbound, {
          port,
          clock: settings.clock,
          headers,
          authorizer: options.authorizer,
          maxResponseBytes: settings.maxResponseBytes,
          maxEventBytes: settings.maxResponseBytes,
          logger: settings.logger,
          onFrame: options.onFrame,
        }),
      ),
    ...(port.close !== undefined && options.http === undefined && { close: () => port.close?.() ?? Promise.resolve() }),
  };
}

function command(target: Command, options: ConnectOptions, { logger }: Settings, platform: Platform): Endpoint {
  if (options.transport === 'http') throw new ArgumentError("connect: a command, where transport is 'http'");
  if (platform.spawn === undefined)
    throw new ArgumentError('connect: this platform cannot start programs; import hawser on Node');
  const { command: words, env = {}, cwd } = target;
  if (!isTexts(words))
    throw new ArgumentError(
      "connect: command must be an array of the program and its arguments, ['node', 'server.js']; a command line in one string is a target by itself",
    );
  const [program] = words;
  if (program === undefined || program === '') throw new ArgumentError('connect: the command is empty');
  if (!isThing(env) || !isTexts(Object.values(env).filter((value) => value !== undefined)))
    throw new ArgumentError('connect: env must be an object of text');
  if (cwd !== undefined && typeof cwd !== 'string') throw new ArgumentError('connect: cwd must be text');
  return { name: program, kind: 'pipe', open: platform.spawn(target, { ...options, logger }) };
}

function pipe({ pipe: given }: PipeTarget, options: ConnectOptions, settings: Settings): Endpoint {
  if (options.transport === 'http') throw new ArgumentError("connect: a pipe, where transport is 'http'");
  if (typeof given !== 'function' && typeof given?.start !== 'function')
    throw new ArgumentError('connect: pipe is a Pipe, or a function that opens one');
  const { onFrame } = options;
  const { logger, maxResponseBytes } = settings;
  let used = false;
  const open: Open = async (inbound, opening) => {
    if (used && typeof given !== 'function')
      throw new ConnectionError('the pipe has ended, and is used once: give a function that opens another', {
        outcome: 'not-sent',
      });
    used = true;
    const own = typeof given === 'function' ? await opened(() => given(opening)) : given;
    return pipeLink(own, inbound, {
      logger,
      maxLineBytes: maxResponseBytes,
      onFrame: onFrame && ((direction, text) => onFrame({ direction, text })),
    });
  };
  return { name: 'the server on a pipe', kind: 'pipe', open };
}

async function opened(open: () => Pipe | Promise<Pipe>): Promise<Pipe> {
  try {
    return await open();
  } catch (cause) {
    throw new ConnectionError('the pipe could not be opened', { outcome: 'not-sent', cause });
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
