/** The questions of a handler, as it writes them. */
import type { CreateMessageParams, CreateMessageResult, Root } from '../../model/inputs.ts';
import type { AnySchema, Infer } from '../../schema/standard.ts';

/** What every question may say. */
export interface AskOptions {
  /**
   * Take an answer only together with the state in which this question was put. Without it an answer is taken from
   * any request, also the first one. Either way no answer proves that a person was asked.
   */
  bound?: boolean;
}

/**
 * A form for a person. The schema is a flat object of text, numbers, booleans and choices: a Standard Schema or a
 * JSON Schema. Never ask for passwords, keys or tokens by a form: the client and its model may read them. Use a page.
 */
export interface FormAsk<Schema extends AnySchema = AnySchema> extends AskOptions {
  /** What the person reads. */
  message: string;
  schema: Schema;
}

/** A page for a person to visit, for what must not pass through the client. */
export interface UrlAsk extends AskOptions {
  message: string;
  /** Absolute; without credentials or personal data in it. */
  url: string;
}

/** A question for the client's model. */
export interface SampleAsk extends AskOptions {
  sample: CreateMessageParams;
}

/** The question where the server may work. */
export interface RootsAsk extends AskOptions {
  roots: true;
}

/** Questions of one round, by key. */
export type Asks = Readonly<Record<string, FormAsk | UrlAsk | SampleAsk | RootsAsk>>;

/** What answers a question. */
export type Answer<Ask> = Ask extends { readonly schema: infer Schema }
  ? Infer<Schema>
  : Ask extends { readonly sample: unknown }
    ? CreateMessageResult
    : Ask extends { readonly roots: unknown }
      ? RootPlace[]
      : void;

/** What answers the questions of one round, by key. */
export type Answers<A extends Asks> = { -readonly [Key in keyof A]: Answer<A[Key]> };

/** What a person did with a form. */
export type Elicited<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/** A place the caller lets a server work in. Advice, not a fence. */
export interface RootPlace extends Root {
  /** The path of the `file:` URI: absolute, decoded, without `.` and `..`; of the form `C:\dir` with a drive. */
  path: string;
}

/** What a step is given. */
export interface StepTools {
  /**
   * The same whenever this step runs for this chain of rounds. A step may run again when a round is repeated, so
   * give it to whatever must happen once. A chain begins with the first state that is sent: put `bound: true` on the
   * question before a step to have it begin with that question.
   */
  readonly idempotencyKey: string;
  /** Aborts when the caller cancels the call or has gone. */
  readonly signal: AbortSignal;
}
