import type { Caller } from '../ports/index.ts';
import { newest } from '../wire/index.ts';

/** A server as a caller, for what it asks and tells of its own accord: only legacy ones do. */
export const legacyServer: Caller = { revision: newest.legacy, capabilities: {} };
