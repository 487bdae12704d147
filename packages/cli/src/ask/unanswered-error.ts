/** The server asked something that nobody could answer here. Ends with exit code 6. */
export class UnansweredError extends Error {
  /** How to answer. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UnansweredError';
    this.hint = hint;
  }
}
