import { ArgumentError } from './errors.ts';

/** A limit as it was given, or the one there is without. @throws ArgumentError unless it is a number above 0 */
export function positive<Fallback extends number | undefined>(
  name: string,
  value: number | undefined,
  fallback: Fallback,
  unit = 'milliseconds',
): number | Fallback {
  if (value === undefined) return fallback;
  // Untyped callers may give text, which compares like a number.
  if (!(typeof value === 'number' && value > 0))
    throw new ArgumentError(`${name} must be a positive number${unit && ` of ${unit}`}`);
  return value;
}

/** A limit that may be 0. @throws ArgumentError unless it is a number of at least 0 */
export function notNegative(name: string, value: number | undefined, fallback: number, unit = 'milliseconds'): number {
  if (value === undefined) return fallback;
  if (!(typeof value === 'number' && value >= 0))
    throw new ArgumentError(`${name} must be a number of ${unit}, at least 0`);
  return value;
}
