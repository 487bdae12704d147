import { ArgumentError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Completion, CompletionReference } from '../model/prompts.ts';
import { demand } from './capabilities.ts';
import type { CallOptions } from './options.ts';
import { assertTexts } from './prompts.ts';
import type { Requests } from './requests.ts';

/** Options of a completion. */
export interface CompleteOptions extends CallOptions {
  /** Other arguments or variables that have been filled in; revisions before 2025-06-18 are not told. */
  context?: Readonly<Record<string, string>> | undefined;
}

export async function complete(
  requests: Requests,
  ref: CompletionReference,
  argument: { name: string; value: string },
  { context, ...options }: CompleteOptions,
): Promise<Completion> {
  const method = 'completion/complete';
  assertReference(ref);
  const { name, value }: Partial<typeof argument> = isObject(argument) ? argument : {};
  if (typeof name !== 'string' || typeof value !== 'string')
    throw new ArgumentError('complete: the argument needs a name and a value, both text');
  if (context !== undefined) assertTexts(context, 'complete: the context');
  const { result, connection } = await requests.send((on) => {
    demand(on, 'completions', method);
    const told = context !== undefined && on.wire.facts.completesInContext && { context: { arguments: context } };
    return { method, params: { ref, argument: { name, value }, ...told } };
  }, options);
  return connection.wire.lift.completion(result);
}

function assertReference(ref: unknown): void {
  const { type, name, uri } = isObject(ref) ? ref : {};
  if (type === 'ref/prompt' ? typeof name === 'string' : type === 'ref/resource' && typeof uri === 'string') return;
  throw new ArgumentError('complete: a reference is a ref/prompt with a name, or a ref/resource with a URI');
}
