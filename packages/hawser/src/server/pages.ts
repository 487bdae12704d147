/** Pages of lists (server/utilities/pagination): cursors say by themselves where they go on. */
import { ArgumentError } from '../base/errors.ts';
import { errorCodes } from '../model/meta.ts';
import type { Reply } from '../ports/index.ts';

/** Entries of a page unless the server says otherwise. */
export const defaultPageSize = 1_000;

/** The lists that have pages; a cursor of one is none of another. `listed` is what templates list of themselves. */
export type ListKind = 'tools' | 'resources' | 'listed' | 'templates' | 'prompts';

/** Where a page begins: after the entry of this number, and after so many of what that entry lists itself. */
export interface Place {
  readonly after: number;
  readonly within: number;
}

export const beginning: Place = { after: 0, within: 0 };

/** @throws ArgumentError when it is no size */
export function checkedPageSize(size: number | undefined): number {
  if (size === undefined) return defaultPageSize;
  if (!Number.isSafeInteger(size) || size < 1) throw new ArgumentError('pageSize is a whole number of at least 1');
  return size;
}

export function cursorOf(kind: ListKind, { after, within }: Place): string {
  return btoa(`${kind} ${after} ${within}`).replaceAll('=', '');
}

/** The place a caller's cursor stands for; undefined when it is not one of this list. */
export function placeOf(kind: ListKind, cursor: unknown): Place | undefined {
  if (typeof cursor !== 'string' || cursor.length > 100) return undefined;
  let text: string;
  try {
    text = atob(cursor);
  } catch {
    return undefined;
  }
  const [, after, within] = /^[a-z]+ (\d{1,15}) (\d{1,15})$/.exec(text) ?? [];
  const place = { after: Number(after), within: Number(within) };
  // Written anew it is the same, or it is of another list, or of somebody else's making.
  return cursorOf(kind, place) === cursor ? place : undefined;
}

export const unknownCursor: Reply = {
  error: { code: errorCodes.invalidParams, message: 'params.cursor: not a cursor of this list' },
};
