/** A bomb, and what they are made with. */
import type { JsonObject } from '../../../src/base/json.ts';
import type { CompileOptions } from '../../../src/schema/compile.ts';
import type { SchemaErrorCode } from '../../../src/schema/errors.ts';

export type Outcome = 'valid' | 'invalid' | 'budget' | SchemaErrorCode;

export interface Bomb {
  readonly name: string;
  /** Made when they are needed: some are large. */
  readonly schema: () => JsonObject;
  readonly value: () => unknown;
  readonly outcome: Outcome;
  readonly options?: CompileOptions;
  /** Steps it may take at most, where it is not stopped; with half as many it has to be. */
  readonly steps?: number;
}

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

export function named<T>(count: number, make: (at: number) => T): Record<string, T> {
  return Object.fromEntries(times(count, (at) => [`n${at}`, make(at)]));
}

export function nested(levels: number, around: (inner: unknown) => unknown, inner: unknown): unknown {
  for (let level = 0; level < levels; level++) inner = around(inner);
  return inner;
}
