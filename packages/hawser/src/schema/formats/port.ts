import type { Dialect } from '../dialects.ts';
import type { Run } from '../run.ts';

/** Whether a text has a format. What takes more than a few nanoseconds for each character takes steps for it. */
export type Format = (text: string, run: Run) => boolean;

/** The check of a format, if it is to be asserted and the dialect has it. */
export type FormatOf = (name: unknown, dialect: Dialect) => Format | undefined;

/** Formats as annotations: none is asserted. */
export const noFormats: FormatOf = () => undefined;
