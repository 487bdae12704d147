/** Freezes plain objects and arrays, down to what is frozen already; other objects are left alone. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
}
