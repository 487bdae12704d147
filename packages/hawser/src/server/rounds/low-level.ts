import { ArgumentError } from '../../base/errors.ts';
import { isObject, type Json } from '../../base/json.ts';
import type { CreateMessageParams, InputRequest } from '../../model/inputs.ts';
import type { Exchange } from '../../ports/index.ts';
import { demand } from './abilities.ts';
import { ReplayError } from './errors.ts';
import type { InputRequired } from './input-required.ts';
import { conversationProblem, talksOfTools } from './sampling.ts';

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
