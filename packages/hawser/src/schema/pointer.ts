/** JSON Pointer (RFC 6901). */

/** A name or index as one step of a pointer. */
export function step(name: string | number): string {
  const text = String(name);
  return `/${/[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text}`;
}

/** A pointer one step further; the same without a name. */
export function below(path: string, name: string | number | undefined): string {
  return name === undefined ? path : path + step(name);
}

/** The names a pointer goes through; undefined when it is none. The empty pointer goes through none. */
export function stepsOf(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
