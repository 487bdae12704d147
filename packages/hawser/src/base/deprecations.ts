import type { GuardedLogger } from './logger.ts';

const removal = 'they may go in the first revision released on or after 2027-07-28';

const text = {
  roots: `roots are deprecated since 2026-07-28, ${removal}: tell servers of files by tool parameters, resource URIs or configuration`,
  sampling: `requests for sampling are deprecated since 2026-07-28, ${removal}: servers should call a model's provider themselves`,
  includeContext:
    "includeContext 'thisServer' and 'allServers' are deprecated since 2025-11-25 and go with sampling: leave it out, or say 'none'",
  sse: 'the HTTP+SSE transport is deprecated since 2025-03-26 and may go three months after SEP-2596 is final: Streamable HTTP has taken its place',
} as const;

/** What the protocol means to drop. */
export type Deprecated = keyof typeof text;

const told = new Set<Deprecated>();

/** Says once per process that a feature is deprecated. A logger that throws is asked again next time. */
export function noticeDeprecated(feature: Deprecated, logger: GuardedLogger): void {
  if (told.has(feature)) return;
  told.add(feature);
  if (!logger.warn(text[feature])) told.delete(feature);
}
