/** What authors say of resources and prompts, made ready, and how their failures are answered. */
import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample, type Logger } from '../base/logger.ts';
import { errorCodes } from '../model/meta.ts';
import type { CacheHints, Implementation, JsonSchema } from '../model/types.ts';
import type { Reply, Validator } from '../ports/index.ts';
import type { Checker } from '../schema/checker.ts';
import { pointer } from '../schema/standard.ts';
import { checkMembers } from './members.ts';
import { CannotAskError } from './rounds/questions/abilities.ts';
import { DeclinedError, NoFitError } from './rounds/errors.ts';
import type { Runner } from './run.ts';

/** What the parts of a server that run handlers have in common. */
export interface Running {
  readonly runner: Runner;
  readonly logger: Logger;
  /** Of plain JSON Schemas. */
  readonly validator: Validator;
  readonly info: Implementation;
  readonly pageSize: number;
  /** Of lists. */
  readonly hints: CacheHints;
}

/** The default of everything: nothing may be kept, and by nobody else. */
export const noCache: CacheHints = { ttlMs: 0, cacheScope: 'private' };

/**
 * A description that later changes of the author's objects do not reach. Members that are undefined are left out.
 *
 * @throws ArgumentError when it is no JSON
 */
export function copied<Value extends object>(
  what: string,
  value: { [Name in keyof Value]: Value[Name] | undefined },
): Value {
  try {
    // JSON leaves out what is undefined.
    return JSON.parse(JSON.stringify(value)) as Value;
  } catch (cause) {
    throw new ArgumentError(`${what}: its definition must be JSON`, { cause });
  }
}

/** What a message calls a thing of the author's, whatever was given as its name. */
export function named(kind: string, key: unknown): string {
  return `${kind} "${sample(String(key))}"`;
}

/**
 * @param members what a definition may have
 * @param own what is given besides the definition and may be repeated in it
 * @throws ArgumentError when the parts of a registration are not what they should be
 */
export function checkParts(
  what: string,
  definition: unknown,
  handler: unknown,
  members: readonly string[],
  own: JsonObject,
): void {
  if (!isObject(definition))
    throw new ArgumentError(`${what} needs a definition: an object with ${members.join(', ')}, or {}`);
  if (typeof handler !== 'function') throw new ArgumentError(`${what} needs a handler`);
  checkMembers(what, definition, members, own);
}

/** Whether these are hints for caching (server/utilities/caching). */
export function areHints(cache: unknown): cache is CacheHints {
  if (!isObject(cache)) return false;
  const { ttlMs, cacheScope } = cache;
  return Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
}

/** @throws ArgumentError when they are no hints */
export function checkedHints(what: string, cache: CacheHints | undefined): CacheHints {
  if (cache === undefined) return noCache;
  if (areHints(cache)) return { ttlMs: cache.ttlMs, cacheScope: cache.cacheScope };
  throw new ArgumentError(`${what}: cache is { ttlMs, cacheScope }: milliseconds from 0 on, and "public" or "private"`);
}

/** For those that say nothing of arguments: they take none. */
export function noArguments(kind: string, jsonSchema: JsonSchema): Checker {
  return {
    jsonSchema,
    check(value) {
      const [name] = Object.keys(value as JsonObject);
      return name === undefined
        ? { value }
        : { errors: [{ path: pointer([name]), message: `the ${kind} takes no arguments` }] };
    },
  };
}

export function invalidParams(message: string): Reply {
  return { error: { code: errorCodes.invalidParams, message } };
}

/** What callers learn of a handler that broke: not how, since that may hold secrets, but where its author finds it. */
export const internalError: Reply = {
  error: { code: errorCodes.internal, message: "internal error: the server's log says more" },
};

/**
 * A handler threw: that is logged, and not told, since its text may hold secrets. What came of its questions is told:
 * that a person declined, that no answer fitted, that the caller cannot be asked.
 */
export function failure(logger: Logger, what: string, thrown: unknown): Reply {
  if (thrown instanceof DeclinedError || thrown instanceof NoFitError || thrown instanceof CannotAskError)
    return { error: { code: errorCodes.internal, message: thrown.message } };
  logger.error(`${what} broke`, thrown);
  return internalError;
}

/** A handler gave back what it may not: our side's fault, not the caller's. */
export function fault(logger: Logger, what: string, problem: string, cause?: unknown): Reply {
  logger.error(`${what}: ${problem}`, cause);
  return internalError;
}
