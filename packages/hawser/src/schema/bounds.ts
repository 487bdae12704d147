/** How much a schema may be, and how much work it may make. */
export interface SchemaBounds {
  /** Most levels of subschemas; 64. */
  readonly maxDepth?: number | undefined;
  /** Most subschemas; 10,000. */
  readonly maxSubschemas?: number | undefined;
  /** Longest regular expression, in characters; 10,000. */
  readonly maxPatternLength?: number | undefined;
}

export const maxSchemaDepth = 64;
export const maxSubschemas = 10_000;
export const maxPatternLength = 10_000;
/** Longest address of a schema and longest reference, in characters, as written and as resolved. */
export const maxAddressLength = 2_000;
