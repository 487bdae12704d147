import type { Call } from '../ports/index.ts';

/**
 * What a door listens with on behalf of a legacy session, which cannot ask for changes by itself: for all of them. A
 * service adds the resources that the session subscribes to by `resources/subscribe`.
 */
export const standingListen: Call = {
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } },
};
