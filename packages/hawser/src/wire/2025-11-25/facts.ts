import { facts as elder } from '../2025-06-18/facts.ts';
import type { Facts } from '../wire.ts';

export const facts: Facts = {
  ...elder,
  inputErrors: 'result',
  nullErrorId: false,
  elicits: 'forms-and-urls',
  samplesTools: true,
  pollsStreams: true,
};
