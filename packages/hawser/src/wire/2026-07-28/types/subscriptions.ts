// Patterns: subscriptions.

import type * as Elder from '../../2025-11-25/types.ts';
import type { Call, KnownResult, Note, NotificationParams, Reply, RequestParams, ResultMetaObject } from './base.ts';

/** Which changes a listener wants to hear of; the last holds the addresses of resources. */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
}

export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

/** Stays open; what changed comes as notifications before its result. */
export type SubscriptionsListenRequest = Call<'subscriptions/listen', SubscriptionsListenRequestParams>;

/** What of the filter the server will tell. */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}

export type SubscriptionsAcknowledgedNotification = Note<
  'notifications/subscriptions/acknowledged',
  SubscriptionsAcknowledgedNotificationParams
>;

export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  'io.modelcontextprotocol/subscriptionId': Elder.RequestId;
}

/** The server ended the subscription. */
export interface SubscriptionsListenResult extends KnownResult {
  _meta: SubscriptionsListenResultMetaObject;
}

export type SubscriptionsListenResultResponse = Reply<SubscriptionsListenResult>;
