// Elicitation: a server asks a person.

import type * as Elder from '../../2025-11-25/types.ts';

/** Asks a person to fill in a flat form. */
export interface ElicitRequestFormParams extends Omit<Elder.ElicitRequestFormParams, '_meta' | 'task'> {}

/** Asks a person to go to an address, for what must not pass through the client. */
export interface ElicitRequestURLParams extends Omit<
  Elder.ElicitRequestURLParams,
  '_meta' | 'task' | 'elicitationId'
> {}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

export interface ElicitRequest {
  method: 'elicitation/create';
  params: ElicitRequestParams;
}

export interface ElicitResult extends Omit<Elder.ElicitResult, '_meta'> {}
