export {
  canonicalKey,
  nextTurn,
  OrderError,
  seededRandom,
  settle,
  SteppedPair,
  steppedPair,
  VirtualClock,
  walk,
} from '../testing/index.ts';
export type {
  Machine,
  Observer,
  Rules,
  SettleOptions,
  Side,
  SteppedPairOptions,
  VirtualClockOptions,
  Visit,
  WalkOptions,
  WalkReport,
} from '../testing/index.ts';
