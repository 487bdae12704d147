import { asks as elder } from '../2025-03-26/methods.ts';

export { methods } from '../2025-03-26/methods.ts';

/** What a server may need of a client. */
export const asks: ReadonlySet<string> = new Set([...elder, 'elicitation/create']);
