// Resources.

import type * as Elder from '../../2025-06-18/types.ts';
import type {
  BareCall,
  BareNote,
  Call,
  Icons,
  Note,
  NotificationParams,
  PaginatedRequestParams,
  RequestParams,
} from './base.ts';

export interface Resource extends Elder.Resource, Icons {}

export interface ResourceTemplate extends Elder.ResourceTemplate, Icons {}

export type ListResourcesRequest = BareCall<'resources/list', PaginatedRequestParams>;

export interface ListResourcesResult extends Elder.ListResourcesResult {
  resources: Resource[];
}

export type ListResourceTemplatesRequest = BareCall<'resources/templates/list', PaginatedRequestParams>;

export interface ListResourceTemplatesResult extends Elder.ListResourceTemplatesResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ResourceRequestParams extends RequestParams {
  uri: string;
}

export type ReadResourceRequestParams = ResourceRequestParams;

export type SubscribeRequestParams = ResourceRequestParams;

export type UnsubscribeRequestParams = ResourceRequestParams;

export type ReadResourceRequest = Call<'resources/read', ReadResourceRequestParams>;

export type SubscribeRequest = Call<'resources/subscribe', SubscribeRequestParams>;

export type UnsubscribeRequest = Call<'resources/unsubscribe', UnsubscribeRequestParams>;

export type ResourceListChangedNotification = BareNote<'notifications/resources/list_changed'>;

/** `uri` may be of a part of the resource that was subscribed to. */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  uri: string;
}

export type ResourceUpdatedNotification = Note<'notifications/resources/updated', ResourceUpdatedNotificationParams>;
