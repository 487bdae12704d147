import { facts as elder } from '../2024-11-05/facts.ts';
import type { Facts } from '../wire.ts';

export const facts: Facts = { ...elder, batches: true, declaresCompletions: true };
