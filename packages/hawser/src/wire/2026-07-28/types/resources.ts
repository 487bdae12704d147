// Resources.

import type * as Elder from '../../2025-11-25/types.ts';
import type {
  BareNote,
  CacheableResult,
  Call,
  Note,
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  Reply,
  RequestParams,
} from './base.ts';
import type { InputRequiredResult, InputResponseRequestParams } from './patterns.ts';

export type ListResourcesRequest = Call<'resources/list', PaginatedRequestParams>;

export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Elder.Resource[];
}

export type ListResourcesResultResponse = Reply<ListResourcesResult>;

export type ListResourceTemplatesRequest = Call<'resources/templates/list', PaginatedRequestParams>;

export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resourceTemplates: Elder.ResourceTemplate[];
}

export type ListResourceTemplatesResultResponse = Reply<ListResourceTemplatesResult>;

export interface ResourceRequestParams extends RequestParams {
  uri: string;
}

export interface ReadResourceRequestParams extends ResourceRequestParams, InputResponseRequestParams {}

export type ReadResourceRequest = Call<'resources/read', ReadResourceRequestParams>;

export interface ReadResourceResult extends CacheableResult {
  contents: Elder.ReadResourceResult['contents'];
}

export type ReadResourceResultResponse = Reply<ReadResourceResult | InputRequiredResult>;

export type ResourceListChangedNotification = BareNote<'notifications/resources/list_changed'>;

/** `uri` may be of a part of the resource that was subscribed to. */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  uri: string;
}

export type ResourceUpdatedNotification = Note<'notifications/resources/updated', ResourceUpdatedNotificationParams>;
