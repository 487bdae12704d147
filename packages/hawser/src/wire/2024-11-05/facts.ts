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
};
