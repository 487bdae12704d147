// Utilities of servers: completion and logging.

import type * as Elder from '../../2025-11-25/types.ts';
import type { Call, KnownResult, Note, NotificationParams, Reply, RequestParams } from './base.ts';

export interface CompleteRequestParams extends RequestParams, Omit<Elder.CompleteRequestParams, '_meta'> {}

export type CompleteRequest = Call<'completion/complete', CompleteRequestParams>;

export interface CompleteResult extends KnownResult, Omit<Elder.CompleteResult, '_meta'> {}

export type CompleteResultResponse = Reply<CompleteResult>;

export interface LoggingMessageNotificationParams
  extends NotificationParams, Omit<Elder.LoggingMessageNotificationParams, '_meta'> {}

export type LoggingMessageNotification = Note<'notifications/message', LoggingMessageNotificationParams>;
