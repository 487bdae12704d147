import type { Reply } from '../../ports/index.ts';

/** How a handler ended by itself. */
export type Settled = { readonly value: unknown } | { readonly thrown: unknown };

/**
 * What running a handler came to: its value, what it threw, or a reply that is final already (input_required, a state
 * that does not verify, a capability the caller lacks).
 */
export type Ran = Settled | { readonly reply: Reply };
