import { Validator as Engine } from '@cfworker/json-schema';
import { ArgumentError } from '../base/errors.ts';
import type { SchemaError, Validator } from '../ports/index.ts';

/** Validation by `@cfworker/json-schema`: no code generation, JSON Schema 2020-12. */
export const defaultValidator: Validator = {
  compile(schema) {
    let engine: Engine;
    try {
      engine = new Engine(schema, '2020-12', true);
    } catch (cause) {
      throw new ArgumentError('the JSON Schema cannot be used', { cause });
    }
    return (value) => {
      const { valid, errors } = engine.validate(value);
      if (valid) return undefined;
      return errors.map(({ instanceLocation, error }): SchemaError => ({
        path: instanceLocation.replace(/^#/, ''),
        message: error,
      }));
    };
  },
};
