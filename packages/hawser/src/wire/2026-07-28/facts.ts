import { errorCodes } from '../../model/meta.ts';
import { facts as elder } from '../2025-11-25/facts.ts';
import type { Facts } from '../wire.ts';

export const facts: Facts = {
  ...elder,
  era: 'modern',
  versionHeader: 'always',
  httpCancel: 'close',
  listens: true,
  pollsStreams: false,
  asks: 'result',
  resourceNotFound: errorCodes.invalidParams,
  logsPerRequest: true,
};
