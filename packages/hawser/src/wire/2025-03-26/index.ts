import type { Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { lift } from './lift.ts';
import { lower } from './lower.ts';
import { asks, methods } from './methods.ts';

export const wire: Wire = {
  revision: '2025-03-26',
  facts,
  has: (method) => methods.has(method),
  asks: (method) => asks.has(method),
  nameParam: () => undefined,
  lower,
  lift,
};
