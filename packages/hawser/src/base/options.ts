import { ArgumentError } from './errors.ts';
import { sample } from './logger.ts';

/**
 * Refuses an option that there is not: a misspelt one would be ignored, and its default be at work.
 *
 * @param known all that there is, by name
 * @throws ArgumentError that names the option, not its value
 */
export function checkNames(what: string, options: object, known: Readonly<Record<string, true>>): void {
  for (const option of Object.keys(options))
    if (!Object.hasOwn(known, option))
      throw new ArgumentError(
        `${what} has no option "${sample(option, 100)}": there are ${Object.keys(known).join(', ')}`,
      );
}

/** A number of things as it was given, or the one there is without. @throws ArgumentError unless it is 1 or more, whole or `Infinity` */
export function count(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (!(value === Infinity || Number.isSafeInteger(value)) || value < 1)
    throw new ArgumentError(`${name} must be a whole number of at least 1, or Infinity`);
  return value;
}

/** One of some values, or the first of them. @throws ArgumentError for anything else */
export function oneOf<const Value extends string | boolean>(
  name: string,
  value: Value | undefined,
  values: readonly [Value, ...Value[]],
): Value {
  if (value === undefined) return values[0];
  if (!values.includes(value)) throw new ArgumentError(`${name} must be ${values.join(' or ')}`);
  return value;
}

/** A list of texts. @throws ArgumentError for anything else: of one text every part would be found in it */
export function texts(name: string, value: readonly string[]): readonly string[] {
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string'))
    throw new ArgumentError(`${name} must be a list of strings`);
  return value;
}
