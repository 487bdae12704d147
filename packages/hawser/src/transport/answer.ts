import { sample, type Logger } from '../base/logger.ts';
import type { Call, Exchange, Reply, Service } from '../ports/index.ts';
import { brokenHandler } from './reply.ts';

/** Has a service answer. One that breaks is an internal error to the caller; its error is for our log only. */
export function answer(
  service: Service,
  call: Call,
  exchange: Exchange,
  logger: Logger,
  deliver: (reply: Reply) => void,
): void {
  const broke = (error: unknown): void => {
    logger.error(`${sample(call.method, 100)} broke`, error);
    deliver(brokenHandler);
  };
  try {
    service.answer(call, exchange).then(deliver, broke);
  } catch (error) {
    broke(error);
  }
}
