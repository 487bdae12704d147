/** Regular expressions as trees: those that match in time linear in the text. */

/** Code points from the first to the second, both included. */
export type Range = readonly [first: number, last: number];

/** A set of code points: those of the ranges and properties, or all others. */
export interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly Range[];
  /** Unicode properties that it includes. */
  readonly properties: readonly Property[];
}

/** The code points of a General_Category or Script, or all others. */
export interface Property {
  /** Short name of the category, long name of the script. */
  readonly name: string;
  readonly isNegated: boolean;
}

export type Expression =
  /** One code point of the set. */
  | { readonly kind: 'set'; readonly set: CharacterSet }
  /** A place in the text: its start or end, at or not at the edge of a word. */
  | { readonly kind: 'place'; readonly place: Place }
  /** One after the other. */
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  /** One of them. */
  | { readonly kind: 'choice'; readonly items: readonly Expression[] }
  /** At least `min` and at most `max` (may be Infinity) times. */
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: number; readonly max: number };

export type Place = 'start' | 'end' | 'edge' | 'no edge';

/**
 * Why a regular expression cannot be used: `invalid`, it is none of ECMA-262 with the flag `u`; `unsupported`, it has
 * what cannot be matched in linear time, or not exactly as ECMA-262 says; `too_large`, it is past a bound.
 */
export type PatternProblem = 'invalid' | 'unsupported' | 'too_large';

/** A regular expression of a stranger that cannot be used. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
