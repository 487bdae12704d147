/**
 * JSON text that is the same for equal values: members sorted by name, and with a spelling for what JSON lacks:
 * undefined, NaN, infinities, -0, BigInt, Date, Map and Set. Members whose value is undefined count as absent.
 *
 * @throws TypeError for functions, symbols, cycles and objects of other classes: for these give a `key` of your own
 */
export function canonicalKey(value: unknown): string {
  return spell(value, []);
}

function spell(value: unknown, above: readonly object[]): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'undefined':
      return 'undefined';
    case 'bigint':
      return `${value}n`;
    case 'object':
      return value === null ? 'null' : spellObject(value, above);
    default:
      throw new TypeError(`canonicalKey: a ${typeof value} has no spelling`);
  }
}

function spellObject(value: object, above: readonly object[]): string {
  if (above.includes(value)) throw new TypeError('canonicalKey: the value contains itself');
  const within = [...above, value];
  if (Array.isArray(value)) return `[${value.map((item) => spell(item, within)).join()}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${spell(key, within)}:${spell(item, within)}`);
    return `Map{${entries.sort().join()}}`;
  }
  if (value instanceof Set)
    return `Set{${[...value]
      .map((item) => spell(item, within))
      .sort()
      .join()}}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError(`canonicalKey: an object of class ${value.constructor.name} has no spelling`);
  }
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  const spelled = members.map(([name, item]) => `${JSON.stringify(name)}:${spell(item, within)}`);
  return `{${spelled.sort().join()}}`;
}
