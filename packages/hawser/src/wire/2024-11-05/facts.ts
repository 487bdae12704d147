import { errorCodes } from '../../model/meta.ts';
import type { Facts } from '../wire.ts';

export const facts: Facts = {
  era: 'legacy',
  batches: false,
  versionHeader: 'never',
  httpCancel: 'notification',
  inputErrors: 'error',
  nullErrorId: true,
  structured: false,
  listens: false,
  asks: 'request',
  elicits: 'nothing',
  samplesTools: false,
  declaresCompletions: false,
  completesInContext: false,
  pollsStreams: false,
  resourceNotFound: errorCodes.legacyResourceNotFound,
  logsPerRequest: false,
};
