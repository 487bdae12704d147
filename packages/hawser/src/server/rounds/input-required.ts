/** The low level: a handler says itself what it needs, and is run again with the answers. */
import { ArgumentError } from '../../base/errors.ts';
import { isObject, type Json } from '../../base/json.ts';
import type { CreateMessageParams, InputRequest } from '../../model/inputs.ts';
import type { Exchange } from '../../ports/index.ts';
import { demand } from './questions/abilities.ts';
import { ReplayError } from './errors.ts';
import { conversationProblem, talksOfTools } from './questions/sampling.ts';
import type { Settled } from './work.ts';

/** What a handler returns that needs something. Made by {@link inputRequired}. */
export class InputRequired {
  readonly requests: Readonly<Record<string, InputRequest>>;
  readonly state: Json | undefined;

  constructor(requests: Readonly<Record<string, InputRequest>>, state: Json | undefined) {
    this.requests = requests;
    this.state = state;
  }
}

/** What {@link inputRequired} is given; at least one of the two. */
export interface InputRequiredParts {
  requests?: Readonly<Record<string, InputRequest>>;
  /** Comes back as `ctx.state`, sealed on its way. */
  state?: Json;
}

/**
 * Ends this round with what the handler needs; return it. The handler runs again with `ctx.responses` and
 * `ctx.state`. To a legacy caller the requests are sent at once, and the handler runs again with the answers, in at
 * most 10 rounds. With neither requests nor state the call fails.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export function inputRequired({ requests = {}, state }: InputRequiredParts): InputRequired {
  return new InputRequired(requests, state);
}

/** Whether a handler asks by what it returned. */
export function needsInput(settled: Settled): settled is { readonly value: InputRequired } {
  return 'value' in settled && settled.value instanceof InputRequired;
}

/** What a handler returned, checked for the caller it goes to. */
interface Needed {
  readonly questions: readonly (readonly [string, InputRequest])[];
  readonly state: Json | undefined;
}

/** @throws ArgumentError when it makes no sense, CapabilityError when the caller cannot be asked, ReplayError */
export function neededOf({ requests, state }: InputRequired, exchange: Exchange): Needed {
  const questions = Object.entries(requests);
  for (const [key, request] of questions) check(key, request, exchange);
  if (questions.length === 0 && state === undefined)
    throw new ArgumentError('inputRequired: there are neither requests nor a state');
  if (state === undefined) return { questions, state };
  try {
    return { questions, state: JSON.parse(JSON.stringify(state)) as Json };
  } catch (cause) {
    throw new ReplayError('not_json', 'inputRequired: the state cannot be written as JSON', { cause });
  }
}

function check(key: string, request: InputRequest, exchange: Exchange): void {
  const wrong = (problem: string): ArgumentError => new ArgumentError(`inputRequired: "${key}": ${problem}`);
  const given: unknown = request;
  if (key === '' || !isObject(given)) throw wrong('it needs a key and { method, params }');
  if (request.method !== 'roots/list' && !isObject(request.params)) throw wrong('its params are missing');
  switch (request.method) {
    case 'elicitation/create':
      return demand(exchange, request.params.mode === 'url' ? 'elicit-url' : 'elicit');
    case 'sampling/createMessage': {
      const params: CreateMessageParams = request.params;
      const problem = conversationProblem(params);
      if (problem !== undefined) throw wrong(problem);
      return demand(exchange, talksOfTools(params) ? 'sample-tools' : 'sample');
    }
    case 'roots/list':
      return demand(exchange, 'roots');
    default:
      throw wrong('its method is none of elicitation/create, sampling/createMessage, roots/list');
  }
}
