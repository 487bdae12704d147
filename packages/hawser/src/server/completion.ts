import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample, type Logger } from '../base/logger.ts';
import type { Completion } from '../model/prompts.ts';
import type { Implementation } from '../model/types.ts';
import type { Call, Caller, Exchange, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { failure, fault, invalidParams } from './definitions.ts';

/** What a completer is told besides the value so far. */
export interface CompletionContext {
  /** What has been filled in already, by name. Callers of revisions before 2025-06-18 tell nothing. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Aborts when the caller cancels or has gone. */
  readonly signal: AbortSignal;
  readonly caller: Caller;
}

/**
 * Suggests values that go on from `value`, the most likely first. Of more than 100 the first 100 are sent, with the
 * number of all.
 *
 * @see MCP 2026-07-28 server/utilities/completion
 */
export type Completer = (
  value: string,
  context: CompletionContext,
) => readonly string[] | Completion | Promise<readonly string[] | Completion>;

/** Completers by the names of arguments or variables. */
export type Completers = ReadonlyMap<string, Completer>;

/** Most values of an answer. */
const maxValues = 100;

/** @throws ArgumentError when one of them is for nothing, or no function */
export function checkedCompleters(
  what: string,
  complete: Readonly<Record<string, Completer>> | undefined,
  names: readonly string[],
): Completers {
  const completers = new Map(Object.entries(complete ?? {}));
  for (const [name, completer] of completers) {
    if (!names.includes(name)) throw new ArgumentError(`${what}: complete."${name}" is for nothing that it takes`);
    if (typeof completer !== 'function') throw new ArgumentError(`${what}: complete."${name}" is not a function`);
  }
  return completers;
}

/** Who completes for a reference; undefined when there is nothing of that name. */
export interface Completing {
  prompt(name: string): Completers | undefined;
  /** By the text of the template; a resource that is no template has nothing to complete. */
  template(uri: string): Completers | undefined;
}

/** Answers `completion/complete`. */
export async function complete(
  call: Call,
  exchange: Exchange,
  completing: Completing,
  logger: Logger,
  server: Implementation,
): Promise<Reply> {
  const asked = readParams(call.params ?? {}, completing);
  if (typeof asked === 'string') return invalidParams(asked);
  const { completers, what, name, value, given } = asked;
  const { lower } = wireOf(exchange.caller.revision);
  const completer = completers.get(name);
  if (completer === undefined) return { result: lower.completion({ values: [], total: 0, hasMore: false }, server) };
  let suggested: unknown;
  try {
    const { cancel, caller } = exchange;
    suggested = await completer(value, {
      arguments: given,
      get signal() {
        return cancel.signal;
      },
      caller,
    });
  } catch (thrown) {
    return failure(logger, `the completion of "${name}" of ${what}`, thrown);
  }
  const completion = toCompletion(suggested);
  if (completion === undefined)
    return fault(logger, `the completion of "${name}" of ${what}`, 'it is no list of strings');
  return { result: lower.completion(completion, server) };
}

interface Asked {
  completers: Completers;
  what: string;
  name: string;
  value: string;
  given: Record<string, string>;
}

/** What is asked for, or what is wrong with the request. */
function readParams({ ref, argument, context }: JsonObject, completing: Completing): Asked | string {
  if (!isObject(ref)) return 'params.ref must be an object';
  const key = ref['type'] === 'ref/prompt' ? 'name' : ref['type'] === 'ref/resource' ? 'uri' : undefined;
  if (key === undefined) return 'params.ref.type must be "ref/prompt" or "ref/resource"';
  const of = ref[key];
  if (typeof of !== 'string') return `params.ref.${key} must be a string`;
  if (!isObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string')
    return 'params.argument must have name and value, both strings';
  const what = `${key === 'name' ? 'prompt' : 'resource template'} "${sample(of)}"`;
  const completers = key === 'name' ? completing.prompt(of) : completing.template(of);
  if (completers === undefined) return `there is no ${what}`;
  const given = readContext(context);
  if (given === undefined) return 'params.context.arguments must be an object of strings';
  return { completers, what, name: argument['name'], value: argument['value'], given };
}

function readContext(context: unknown = {}): Record<string, string> | undefined {
  const given = isObject(context) ? (context['arguments'] ?? {}) : undefined;
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string')) return undefined;
  return given as Record<string, string>;
}

/** A completer's answer within the bounds; undefined when it is none. */
function toCompletion(suggested: unknown): Completion | undefined {
  const { values, total, hasMore }: JsonObject = Array.isArray(suggested)
    ? { values: suggested as unknown[] }
    : isObject(suggested)
      ? suggested
      : {};
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return undefined;
  const shown = values.slice(0, maxValues);
  const count = Number.isSafeInteger(total) && Number(total) >= values.length ? Number(total) : undefined;
  const more = hasMore === true || (count ?? values.length) > shown.length;
  // With more to come and nobody who says how many, the number is not known.
  const known = count ?? (hasMore === true ? undefined : values.length);
  return { values: shown, ...(known !== undefined && { total: known }), hasMore: more };
}
