// Tasks: requests whose result is fetched later.

import type * as Elder from '../../2025-06-18/types.ts';
import type { BareCall, Call, Meta, Note, NotificationParams, PaginatedRequestParams, RequestParams } from './base.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /** Milliseconds from creation until the task may be forgotten; null is never. */
  ttl: number | null;
  /** Milliseconds to wait between two polls. */
  pollInterval?: number;
}

/** Asks that a request run as a task, kept for `ttl` milliseconds. */
export interface TaskMetadata {
  ttl?: number;
}

/** Ties a message to its task, in `_meta` under `io.modelcontextprotocol/related-task`. */
export interface RelatedTaskMetadata {
  taskId: string;
}

export interface TaskAugmentedRequestParams extends RequestParams {
  task?: TaskMetadata;
}

/** What a request that runs as a task gives at once, in place of its own result. */
export interface CreateTaskResult extends Meta {
  task: Task;
}

export type GetTaskRequest = Call<'tasks/get', { taskId: string }>;

export type GetTaskResult = Elder.Result & Task;

/** Waits for the task's end and fetches the result of the request that it ran. */
export type GetTaskPayloadRequest = Call<'tasks/result', { taskId: string }>;

/** Has the shape of the result of the request that ran as the task. */
export interface GetTaskPayloadResult extends Meta {
  [key: string]: unknown;
}

export type ListTasksRequest = BareCall<'tasks/list', PaginatedRequestParams>;

export interface ListTasksResult extends Elder.PaginatedResult {
  tasks: Task[];
}

export type CancelTaskRequest = Call<'tasks/cancel', { taskId: string }>;

export type CancelTaskResult = Elder.Result & Task;

export type TaskStatusNotificationParams = NotificationParams & Task;

export type TaskStatusNotification = Note<'notifications/tasks/status', TaskStatusNotificationParams>;
