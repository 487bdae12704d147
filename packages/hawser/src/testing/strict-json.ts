/**
 * Asserts that a value survives JSON as it is, and gives a deeply frozen copy. Members of objects whose value is
 * undefined count as absent and are not copied.
 *
 * @throws TypeError naming the place of what JSON would lose or change: undefined as the value or in an array, holes,
 * functions, symbols, BigInt, NaN, infinities, -0, objects of other classes (Date, Map, …), cycles
 */
export function strictJson<T>(value: T): T {
  // The copy has the members of the original, as far as JSON knows them.
  return copy(value, '', []) as T;
}

function copy(value: unknown, path: string, above: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value) || Object.is(value, -0)) throw refused(Object.is(value, -0) ? '-0' : value, path);
      return value;
    case 'object':
      if (value === null) return null;
      if (above.includes(value)) throw refused('a cycle', path);
      return Array.isArray(value) ? copyArray(value, path, above) : copyObject(value, path, above);
    case 'undefined':
      throw refused(undefined, path);
    default:
      throw refused(`a ${typeof value}`, path);
  }
}

function copyArray(array: readonly unknown[], path: string, above: readonly object[]): readonly unknown[] {
  const within = [...above, array];
  const copied: unknown[] = [];
  // By index, since `map` would pass over holes.
  for (let index = 0; index < array.length; index++) copied.push(copy(array[index], `${path}/${index}`, within));
  const extra = Reflect.ownKeys(array).find((key) => key !== 'length' && !(String(key) in copied));
  if (extra !== undefined) throw refused('a named member of an array', `${path}/${String(extra)}`);
  return Object.freeze(copied);
}

function copyObject(object: object, path: string, above: readonly object[]): object {
  const prototype: unknown = Object.getPrototypeOf(object);
  // An object of another realm, such as a worker's, has a root prototype that is not ours.
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain) throw refused(`an object of class ${object.constructor.name}`, path);
  const within = [...above, object];
  const copied: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === 'symbol') throw refused('a symbol as a name', `${path}/${String(key)}`);
    const member: unknown = Reflect.get(object, key);
    if (member === undefined || !Object.prototype.propertyIsEnumerable.call(object, key)) continue;
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    // Defined, not assigned: a member may be called `__proto__`.
    const value = copy(member, place, within);
    Object.defineProperty(copied, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return Object.freeze(copied);
}

function refused(what: unknown, path: string): TypeError {
  return new TypeError(`not JSON: ${String(what)} at ${path === '' ? 'the top' : path}`);
}
