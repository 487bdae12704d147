/** One of the answers to pick from. */
export interface Choice<T> {
  readonly value: T;
  readonly label: string;
}

/** A question that is answered with text. */
export interface TextQuestion {
  readonly message: string;
  /** What stands there already, to be changed. */
  readonly initial?: string | undefined;
  /** An example, shown while nothing is typed. */
  readonly example?: string | undefined;
  /** Says what is wrong with an answer; undefined lets it through. */
  readonly check?: ((text: string) => string | undefined) | undefined;
}

/**
 * Asks a person, one question after the other. Texts must be safe to print. Every question resolves with undefined
 * when the person leaves it without an answer (Escape), and rejects with the reason of the signal when the command is
 * stopped (Ctrl-C).
 */
export interface Questions {
  /** Shows lines that ask nothing. */
  say(text: string): void;
  text(question: TextQuestion): Promise<string | undefined>;
  /** As `text`, but what is typed does not show. */
  secret(question: Omit<TextQuestion, 'initial' | 'example'>): Promise<string | undefined>;
  choose<T>(question: {
    readonly message: string;
    readonly choices: readonly Choice<T>[];
    readonly initial?: T | undefined;
  }): Promise<T | undefined>;
  chooseSome<T>(question: {
    readonly message: string;
    readonly choices: readonly Choice<T>[];
    readonly initial?: readonly T[] | undefined;
    readonly check?: ((chosen: readonly T[]) => string | undefined) | undefined;
  }): Promise<readonly T[] | undefined>;
}
