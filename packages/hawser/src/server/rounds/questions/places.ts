/** Roots as paths (client/roots). */
import { sample, type Logger } from '../../../base/logger.ts';
import type { Root } from '../../../model/inputs.ts';
import type { RootPlace } from '../author-types.ts';

/** Roots whose URIs are paths; the others are left out with a warning. */
export function placesOf(roots: readonly Root[], logger: Logger): RootPlace[] {
  const places: RootPlace[] = [];
  for (const root of roots) {
    const path = pathOf(root.uri);
    if (path === undefined) logger.warn(`a root is left out, its URI is no path: ${sample(root.uri)}`);
    else places.push({ ...root, path });
  }
  return places;
}

/**
 * The path of a `file:` URI, decoded, without `.` and `..`, without a slash at its end. Undefined for other URIs, those
 * of other machines, and those that hide a separator behind an escape.
 */
export function pathOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== 'file:' || url.hostname !== '' || /%2f|%5c|%00/i.test(url.pathname)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    return undefined;
  }
  // URL parsing has resolved the dots, also the escaped ones.
  path = path.replace(/\/{2,}/g, '/');
  if (/^\/[A-Za-z]:(?:\/|$)/.test(path)) {
    const windows = path.slice(1).replaceAll('/', '\\').replace(/\\$/, '');
    return windows.endsWith(':') ? `${windows}\\` : windows;
  }
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}
