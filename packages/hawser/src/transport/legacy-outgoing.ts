import { headerNames } from '../wire/index.ts';
import { HeadedOutgoing } from './headed-outgoing.ts';
import type { HttpOutgoing } from './http-types.ts';

/** Adds the id of the new session to whatever answers `initialize`. */
export class NamedOutgoing extends HeadedOutgoing {
  constructor(out: HttpOutgoing, session: string) {
    super(out, { [headerNames.session]: session });
  }
}

/** Where notices of a request in a batch go: its answer is one JSON text. */
export const nowhere: HttpOutgoing = {
  send: () => undefined,
  open: () => undefined,
  unsent: false,
  write: () => true,
  drained: () => Promise.resolve(),
  end: () => undefined,
  onGone: () => undefined,
};
