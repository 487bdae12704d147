import type { Dialect } from '../dialects.ts';

/** The check of a format, if it is to be asserted and the dialect has it. */
export type FormatOf = (name: unknown, dialect: Dialect) => ((text: string) => boolean) | undefined;

/** Formats as annotations: none is asserted. */
export const noFormats: FormatOf = () => undefined;
