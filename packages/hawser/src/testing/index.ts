/** What tests of this library, and of programs that use it, are made of. Nothing here touches the platform's time. */
export {
  bothGenerations,
  type BothGenerations,
  type BothGenerationsOptions,
  type GivenAnswers,
  type PutQuestion,
} from './both-generations.ts';
export { busContract } from './bus-contract.ts';
export { canonicalKey } from './canonical.ts';
export { VirtualClock, type VirtualClockOptions } from './clock.ts';
export type { ContractCase } from './contract.ts';
export { countedController, type CountedController } from './counted.ts';
export { eventLogContract } from './event-log-contract.ts';
export { OrderError, type Inputs, type Machine, type Observer, type Rules, type Visit } from './machine.ts';
export { order, play, type Order, type Played, type PlayOptions } from './order.ts';
export { SteppedPair, steppedPair, type Side, type SteppedPairOptions } from './pipes.ts';
export { seededRandom } from './random.ts';
export { randomWalks, type RandomWalksOptions, type RandomWalksReport } from './random-walks.ts';
export {
  acrossSeeds,
  runInRandomOrder,
  type AcrossSeedsOptions,
  type RandomOrderOptions,
  type Source,
} from './scheduler.ts';
export {
  ScriptedPeer,
  scriptedClient,
  scriptedServer,
  type ScriptedHandler,
  type ScriptedRequest,
  type SeenLine,
} from './scripted.ts';
export { nextTurn, settle, type SettleOptions } from './settle.ts';
export { strictJson } from './strict-json.ts';
export { walk, type WalkOptions, type WalkReport } from './walk.ts';
export { World } from './world.ts';
