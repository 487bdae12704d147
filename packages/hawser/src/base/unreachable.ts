/** Marks a case that the types rule out; a forgotten case becomes a type error at the call. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
