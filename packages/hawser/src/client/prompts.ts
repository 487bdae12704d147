import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { GetPromptResult, Prompt, PromptMessage } from '../model/prompts.ts';
import { demand } from './capabilities.ts';
import { textOf } from './content.ts';
import type { ListKind } from './lists.ts';
import type { CallOptions } from './options.ts';
import type { Requests } from './requests.ts';

export const promptList: ListKind<Prompt> = {
  method: 'prompts/list',
  feature: 'prompts',
  read: (lift, result) => lift.promptsPage(result),
};

/** A prompt filled in (server/prompts "Getting a Prompt"). */
export class PromptResult {
  readonly messages: readonly PromptMessage[];
  readonly description: string | undefined;
  /** The result as it came. */
  readonly raw: JsonObject;

  /** @internal */
  constructor({ messages, description }: GetPromptResult, raw: JsonObject) {
    this.messages = messages;
    this.description = description;
    this.raw = raw;
  }

  /** The text of all messages, joined by line feeds. */
  get text(): string {
    return textOf(this.messages.map(({ content }) => content));
  }
}

export async function getPrompt(
  requests: Requests,
  name: string,
  args: Readonly<Record<string, string>> | undefined,
  options: CallOptions,
): Promise<PromptResult> {
  const method = 'prompts/get';
  if (typeof name !== 'string') throw new ArgumentError('getPrompt: the name must be a string');
  if (args !== undefined) assertTexts(args, 'getPrompt: the arguments');
  const params = args === undefined ? { name } : { name, arguments: args };
  const { result, connection } = await requests.send((on) => {
    demand(on, 'prompts', method);
    return { method, params, name };
  }, options);
  return new PromptResult(connection.wire.lift.promptResult(result), result);
}

/** @throws ArgumentError for anything but an object of text */
export function assertTexts(value: unknown, what: string): void {
  if (!isObject(value)) throw new ArgumentError(`${what} must be an object`);
  for (const [key, text] of Object.entries(value))
    if (typeof text !== 'string')
      throw new ArgumentError(`${what} must be text: ${JSON.stringify(key)} is ${typeof text}`);
}
