/** The low level: a handler says itself what it needs, and is run again with the answers. */
import type { Json } from '../../base/json.ts';
import type { InputRequest } from '../../model/inputs.ts';
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
