// Patterns: cancellation, progress, multi round-trip requests.

import type * as Elder from '../../2025-11-25/types.ts';
import type { KnownResult, Note, NotificationParams, RequestParams } from './base.ts';
import type { ElicitRequest, ElicitResult } from './elicitation.ts';
import type { ListRootsRequest, ListRootsResult } from './roots.ts';
import type { CreateMessageRequest, CreateMessageResult } from './sampling.ts';

export interface CancelledNotificationParams extends NotificationParams {
  requestId: Elder.RequestId;
  reason?: string;
}

export type CancelledNotification = Note<'notifications/cancelled', CancelledNotificationParams>;

export interface ProgressNotificationParams
  extends NotificationParams, Omit<Elder.ProgressNotificationParams, '_meta'> {}

export type ProgressNotification = Note<'notifications/progress', ProgressNotificationParams>;

/** What a server may ask of a client before it completes a request. */
export type InputRequest = CreateMessageRequest | ListRootsRequest | ElicitRequest;

export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;

/** By keys that the server chose. */
export interface InputRequests {
  [key: string]: InputRequest;
}

/** By the keys of the {@link InputRequests} they answer. */
export interface InputResponses {
  [key: string]: InputResponse;
}

/** The request is to be sent again, with answers. */
export interface InputRequiredResult extends KnownResult {
  inputRequests?: InputRequests;
  /** Only the server can read it; comes back as it is. */
  requestState?: string;
}

export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}
