import type { Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { lift } from './lift.ts';
import { lower } from './lower.ts';
import { asks, methods, nameParams } from './methods.ts';

export const wire: Wire = {
  revision: '2026-07-28',
  facts,
  has: (method) => methods.has(method),
  asks: (method) => asks.has(method),
  nameParam: (method) => nameParams.get(method),
  lower,
  lift,
};
