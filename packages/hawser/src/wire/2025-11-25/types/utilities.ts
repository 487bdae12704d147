// Utilities of both sides: ping, cancellation, progress.

import type * as Elder from '../../2025-06-18/types.ts';
import type { BareCall, Note, NotificationParams, RequestParams } from './base.ts';

export type PingRequest = BareCall<'ping', RequestParams>;

/** Optional in name only: tasks end by `tasks/cancel`, and any other request must be named by `requestId`. */
export interface CancelledNotificationParams extends NotificationParams {
  requestId?: Elder.RequestId;
  reason?: string;
}

export type CancelledNotification = Note<'notifications/cancelled', CancelledNotificationParams>;

export interface ProgressNotificationParams extends NotificationParams {
  progressToken: Elder.ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}

export type ProgressNotification = Note<'notifications/progress', ProgressNotificationParams>;
