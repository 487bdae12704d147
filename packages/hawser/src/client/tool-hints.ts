import type { Tool } from '../model/types.ts';

/** What a tool says of its behaviour, with what the specification takes for granted where it says nothing. */
export interface ToolHints {
  /** It changes nothing. Default false. */
  readOnlyHint: boolean;
  /** It may destroy something; only of importance when it is not read-only. Default true. */
  destructiveHint: boolean;
  /** Calling it again with the same arguments changes nothing more. Default false. */
  idempotentHint: boolean;
  /** It deals with things outside the server. Default true. */
  openWorldHint: boolean;
  /** The tool asks that a person agrees first: an annotation of old servers, only there when it is true. */
  requiresConfirmation?: true;
}

/**
 * The hints of a tool with their defaults filled in (server/tools "Tool"). `readOnly` and `destructive`, as old
 * servers write them, are read too. A server may say what it likes: hints are no base for trust.
 */
export function toolHints({ annotations }: Pick<Tool, 'annotations'>): ToolHints {
  const said: Readonly<Record<string, unknown>> = { ...annotations };
  const hint = (fallback: boolean, ...names: string[]): boolean => {
    const value = names.map((name) => said[name]).find((each) => typeof each === 'boolean');
    return typeof value === 'boolean' ? value : fallback;
  };
  return {
    readOnlyHint: hint(false, 'readOnlyHint', 'readOnly'),
    destructiveHint: hint(true, 'destructiveHint', 'destructive'),
    idempotentHint: hint(false, 'idempotentHint'),
    openWorldHint: hint(true, 'openWorldHint'),
    ...(said['requiresConfirmation'] === true && { requiresConfirmation: true }),
  };
}
