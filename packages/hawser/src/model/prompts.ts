import type { JsonObject } from '../base/json.ts';
import type { ContentBlock, Icon } from './types.ts';

/** A value a prompt takes; always text. */
export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A prompt as a server lists it. */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  arguments?: PromptArgument[];
  _meta?: JsonObject;
  [name: string]: unknown;
}

/** One message of a prompt. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

/** A prompt filled in. */
export interface GetPromptResult {
  description?: string;
  messages: PromptMessage[];
  _meta?: JsonObject;
}

/** What is being completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { type: 'ref/prompt'; name: string; title?: string }
  | { type: 'ref/resource'; uri: string };

/** Suggestions for a value: 100 at most, the most likely first. */
export interface Completion {
  values: string[];
  /** How many there are in all. */
  total?: number;
  hasMore?: boolean;
}
