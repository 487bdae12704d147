import { positive } from '../base/positive.ts';

/** How much a schema may be, and how much work it may make. */
export interface SchemaBounds {
  /** Most levels of subschemas; 64. */
  readonly maxDepth?: number | undefined;
  /** Most subschemas; 10,000. */
  readonly maxSubschemas?: number | undefined;
  /** Longest schema, in characters of its JSON text; no limit, and 500,000 for `compileUntrusted`. */
  readonly maxLength?: number | undefined;
  /**
   * Steps one validation may take; what takes more is invalid, with an issue whose keyword is `budget`. A step is the
   * look at one keyword, member or entry, and costs up to 50 ns. No limit, and 500,000 for `compileUntrusted`, which is
   * worth about 25 ms.
   */
  readonly maxSteps?: number | undefined;
  /** Longest regular expression, in characters; 10,000. */
  readonly maxPatternLength?: number | undefined;
}

export type Bounds = Record<keyof SchemaBounds, number>;

/** For schemas of one's own. */
export const trusted: Bounds = {
  maxDepth: 64,
  maxSubschemas: 10_000,
  maxLength: Infinity,
  maxPatternLength: 10_000,
  maxSteps: Infinity,
};

/** For schemas of somebody else. */
export const untrusted: Bounds = { ...trusted, maxLength: 500_000, maxSteps: 500_000 };

/** The bounds that are given, and others where none is. @throws ArgumentError for what is no number above 0 */
export function boundsOf(given: SchemaBounds, others: Bounds): Bounds {
  const bounds = { ...others };
  for (const name of Object.keys(others) as (keyof Bounds)[])
    bounds[name] = positive(name, given[name], others[name], '');
  return bounds;
}

/** Longest address of a schema and longest reference, in characters, as written and as resolved. */
export const maxAddressLength = 2_000;
/** Characters of all addresses that are resolved: how long that takes depends on them. */
export const maxAddressesLength = 2_000_000;
