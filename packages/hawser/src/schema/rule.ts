/** What the keywords of a schema become. */
import type { Node } from './document.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';

/** Whether a value fits. Never changes the value. */
export type Check = (value: unknown, run: Run) => boolean;

/** The values that a keyword says something about; it is only called with these. */
export type Kind = 'any' | 'object' | 'array' | 'string' | 'number';

export interface Rule {
  readonly keyword: string;
  readonly on: Kind;
  readonly check: Check;
  /** How its check is done where only the outcome counts: by another one, or together with another rule's. */
  readonly fast?: Check | 'elsewhere';
  /** Of `type`: the type, if it is one. */
  readonly type?: string | undefined;
  /** What the value has to be: a sentence without its subject. */
  readonly say: (value: unknown, run: Run) => string;
  /** The subschemas that it applies to the value or its members, to find what is wrong further down. */
  readonly inner?: (value: unknown, run: Run) => Inner[];
  /** The same where it is not that simple. If nothing is reported further down, `say` is asked. */
  readonly into?: (value: unknown, report: Report, at: Spot) => void;
}

/** A subschema that is applied: to what, where that is in the value, and where the subschema is in the keyword. */
export type Inner = readonly [part: Part, value: unknown, key?: string | number | undefined, via?: string | number];

/** Where a report is: in the value and in the schema, as JSON Pointers. */
export interface Spot {
  readonly path: string;
  readonly schemaPath: string;
}

/** A compiled subschema. Its rules come once they are made: a reference to it may be made before. */
export interface Part {
  readonly node: Node;
  readonly mode: Mode;
  check: Check;
  rules: readonly Rule[] | undefined;
}

/**
 * How a subschema is compiled. `tracks`: it notes what it evaluates, for `unevaluated*` of the schema around it.
 * `sure`: it passes only if nothing that is not evaluated could have failed (see partial.ts).
 */
export interface Mode {
  readonly tracks: boolean;
  readonly sure: boolean;
}

const modes = [0, 1, 2, 3].map((bits): Mode => ({ tracks: (bits & 1) > 0, sure: (bits & 2) > 0 }));

/** There are four modes, each one object. */
export function modeOf(tracks: boolean, sure: boolean): Mode {
  return modes[(tracks ? 1 : 0) + (sure ? 2 : 0)] as Mode;
}

/** What the vocabularies ask of the compiler. */
export interface Compiling {
  readonly node: Node;
  /** For subschemas whose outcome counts as that of the schema itself. */
  readonly mode: Mode;
  /** The same where a match counts against the value: what is unknown is no match. */
  readonly opposed: Mode;
  /** The value of a keyword that the dialect has. */
  get(keyword: string): unknown;
  part(schema: unknown, mode: Mode): Part;
  /** Whether a pattern is found in a text. */
  pattern(source: string): (text: string, run: Run) => boolean;
}

/** The mode for subschemas of members of the value: what they evaluate is no concern of the schema around. */
export function ofMembers({ sure }: Mode): Mode {
  return modeOf(false, sure);
}
