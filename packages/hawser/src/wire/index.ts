import type { Era, Revision } from '../model/types.ts';
import { wire as november2024 } from './2024-11-05/index.ts';
import { wire as march2025 } from './2025-03-26/index.ts';
import { wire as june2025 } from './2025-06-18/index.ts';
import { wire as november2025 } from './2025-11-25/index.ts';
import { wire as july2026 } from './2026-07-28/index.ts';
import type { Wire } from './wire.ts';

export * from './headers.ts';
export * from './jsonrpc.ts';
export * from './mirror.ts';
export { filterNames } from './wire.ts';
export type { ClientSelf, Described, Facts, Lift, Lower, Page, Wire } from './wire.ts';

const wires: readonly Wire[] = [july2026, november2025, june2025, march2025, november2024];
const byRevision = new Map<string, Wire>(wires.map((wire) => [wire.revision, wire]));

/** All revisions, newest first. */
export const revisions: readonly Revision[] = wires.map((wire) => wire.revision);

/** The revisions of one era, newest first. */
export function revisionsOf(era: Era): readonly Revision[] {
  return wires.filter((wire) => wire.facts.era === era).map((wire) => wire.revision);
}

/** The newest revision of each era: what a client proposes. */
export const newest = { modern: july2026.revision, legacy: november2025.revision } as const satisfies Record<
  Era,
  Revision
>;

/** What a legacy HTTP request without version speaks, when nothing else tells (2025-06-18 transports). */
export const assumedOverHttp: Revision = march2025.revision;

/** All that is particular to a revision. */
export function wireOf(revision: Revision): Wire {
  return byRevision.get(revision) as Wire;
}

/** The same for a version string of a peer; undefined when we do not speak it. */
export function wireFor(version: string): Wire | undefined {
  return byRevision.get(version);
}

/** The first of `offered`, in our order, that belongs to the era. */
export function pick(offered: readonly string[], era: Era): Revision | undefined {
  return revisionsOf(era).find((revision) => offered.includes(revision));
}
