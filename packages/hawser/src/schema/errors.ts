import { ArgumentError, type ErrorDetails } from '../base/errors.ts';
import { sample } from '../base/logger.ts';

/**
 * Why a schema cannot be used: `unknown_dialect`, its `$schema` is none that is read; `external_reference`, it refers
 * to a document that is not in it; `unresolved_reference`, it refers to a place in it that is not there; `malformed`, a
 * keyword has a value that it cannot have; `duplicate`, two resources or anchors in it have one name; `pattern`, a
 * regular expression that cannot be used; `too_large`, it is past a bound; `not_json`, it is no JSON.
 */
export type SchemaErrorCode =
  | 'unknown_dialect'
  | 'external_reference'
  | 'unresolved_reference'
  | 'malformed'
  | 'duplicate'
  | 'pattern'
  | 'too_large'
  | 'not_json';

/** A JSON Schema that cannot be used. */
export class SchemaError extends ArgumentError {
  declare readonly code: SchemaErrorCode;
  /** The place in the schema, as a JSON Pointer; empty for the schema itself. */
  readonly path: string;

  constructor(code: SchemaErrorCode, problem: string, path = '', details: ErrorDetails = {}) {
    const at = path === '' ? '' : `${sample(path, 300)}: `;
    super(`the JSON Schema cannot be used: ${at}${problem}`, details, code);
    this.path = path;
  }
}

/** What is wrong with a value. */
export interface Issue {
  /** JSON Pointer into the value, empty for the value itself. */
  readonly path: string;
  /** JSON Pointer to the keyword, through the references that were followed. */
  readonly schemaPath: string;
  /** The keyword that is not satisfied; `false` for the schema `false`, `budget` when the work allowed ran out. */
  readonly keyword: string;
  /** In words a model can act on. */
  readonly message: string;
}
