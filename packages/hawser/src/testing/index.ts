export { canonicalKey } from './canonical.ts';
export { VirtualClock, type VirtualClockOptions } from './clock.ts';
export { OrderError, type Machine, type Observer, type Rules, type Visit } from './machine.ts';
export { SteppedPair, steppedPair, type Side, type SteppedPairOptions } from './pipes.ts';
export { seededRandom } from './random.ts';
export { nextTurn, settle, type SettleOptions } from './settle.ts';
export { walk, type WalkOptions, type WalkReport } from './walk.ts';
