import { CapabilityError } from '../base/errors.ts';
import type { Connection } from './negotiate.ts';

/** What a server has to declare before it may be asked for it. */
export type Feature = 'tools' | 'resources' | 'prompts' | 'completions' | 'logging';

/** Whether the server of this connection declares a feature. */
export function declares({ described, wire }: Connection, feature: Feature): boolean {
  if (feature === 'completions' && !wire.facts.declaresCompletions) return true;
  const declared: unknown = described.capabilities[feature];
  return declared !== undefined && declared !== null && declared !== false;
}

/** @throws CapabilityError when the server does not declare it */
export function demand(connection: Connection, feature: Feature, method: string): void {
  if (!declares(connection, feature)) throw new CapabilityError(`${method}: the server does not declare ${feature}`);
}
