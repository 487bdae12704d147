// Roots: where a server may work.

import type { BareCall, BareNote, RequestParams } from './base.ts';

export type ListRootsRequest = BareCall<'roots/list', RequestParams>;

export type RootsListChangedNotification = BareNote<'notifications/roots/list_changed'>;
