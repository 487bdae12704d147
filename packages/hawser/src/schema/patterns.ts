/** Regular expressions of schemas: what an engine for them has to do, and the platform's own. */

/** A compiled pattern. */
export interface Pattern {
  /** Whether it is found anywhere in the text (it is not anchored). */
  test(text: string): boolean;
  /** What a search costs, in steps of the budget for each character of the text. */
  readonly stepsPerCharacter: number;
}

/**
 * An engine for patterns. The one for untrusted schemas has to be linear in the text, and may have to be loaded first:
 * that is done before the schema is compiled (`compileUntrusted`), so that all else is synchronous.
 */
export interface Patterns {
  /**
   * Compiles an expression of ECMA-262 with the flag `u` (2020-12 core 6.4).
   *
   * @throws Error that says why, when the expression cannot be used exactly as ECMA-262 says
   */
  compile(source: string): Pattern;
}

/** The platform's regular expressions: fast, and without bound on hostile patterns. */
export const nativePatterns: Patterns = {
  compile(source) {
    const expression = new RegExp(source, 'u');
    return { test: (text) => expression.test(text), stepsPerCharacter: 0.125 };
  },
};
