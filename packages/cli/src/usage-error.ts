/** The command line cannot be understood or cannot work; nothing was sent. Ends with exit code 2. */
export class UsageError extends Error {
  /** What to write instead. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}
