// Utilities of servers: completion and logging.

import type * as Elder from '../../2025-06-18/types.ts';
import type { Call, Note, NotificationParams, RequestParams } from './base.ts';

export type CompleteRequestParams = RequestParams & Elder.CompleteRequest['params'];

export type CompleteRequest = Call<'completion/complete', CompleteRequestParams>;

export interface SetLevelRequestParams extends RequestParams {
  level: Elder.LoggingLevel;
}

/** Asks for messages of this level and above. */
export type SetLevelRequest = Call<'logging/setLevel', SetLevelRequestParams>;

export type LoggingMessageNotificationParams = NotificationParams & Elder.LoggingMessageNotification['params'];

export type LoggingMessageNotification = Note<'notifications/message', LoggingMessageNotificationParams>;
