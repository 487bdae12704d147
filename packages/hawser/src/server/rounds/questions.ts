import { ArgumentError } from '../../base/errors.ts';
import type { CreateMessageResult } from '../../model/inputs.ts';
import type { Exchange } from '../../ports/index.ts';
import type { AskOptions, Elicited, FormAsk, RootPlace, SampleAsk, UrlAsk } from './asks.ts';
import type { Question } from './question.ts';

/** Makes questions of what handlers write. */
export class Questions {
  form(_exchange: Exchange, _ask: FormAsk): Question<Elicited<unknown>> {
    throw new ArgumentError('not built');
  }
  page(_exchange: Exchange, _ask: UrlAsk): Question<Elicited<unknown>> {
    throw new ArgumentError('not built');
  }
  sample(_exchange: Exchange, _ask: SampleAsk): Question<CreateMessageResult> {
    throw new ArgumentError('not built');
  }
  roots(_exchange: Exchange, _options: AskOptions): Question<RootPlace[]> {
    throw new ArgumentError('not built');
  }
}
