import type { Json } from '../../base/json.ts';
import type { StepTools } from './asks.ts';
import type { Question } from './question.ts';

/** What asks and remembers for one run of a handler. */
export interface Asking {
  /** The answers that came with the request, as they came. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** What the handler gave to `inputRequired` in the round before. */
  readonly state: Json | undefined;
  /** @param make called only if the question is put at all */
  answer<Value>(key: string, make: () => Question<Value>): Promise<Value>;
  step<Value>(key: string, run: (tools: StepTools) => Value | Promise<Value>): Promise<Value>;
}
