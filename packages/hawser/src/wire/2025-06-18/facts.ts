import { facts as elder } from '../2025-03-26/facts.ts';
import type { Facts } from '../wire.ts';

export const facts: Facts = {
  ...elder,
  batches: false,
  versionHeader: 'after-initialize',
  structured: true,
  completesInContext: true,
  elicits: 'forms',
};
