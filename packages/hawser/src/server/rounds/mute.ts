import { CapabilityError } from '../../base/errors.ts';
import type { Asking } from './work.ts';

const nothing: Readonly<Record<string, unknown>> = Object.freeze({});

/** For handlers that have no rounds, such as lists: what came with the request of an earlier round is not for them. */
export const mute: Asking = {
  responses: nothing,
  state: undefined,
  answer: (key) => Promise.reject(refusal(key)),
  step: (key) => Promise.reject(refusal(key)),
};

function refusal(key: string): CapabilityError {
  return new CapabilityError(`"${key}": the caller of a list cannot be asked, and a list remembers nothing`);
}
