// Roots: where a server may work.

import type * as Elder from '../../2025-11-25/types.ts';
import type { MetaObject } from './base.ts';

export interface ListRootsRequest {
  method: 'roots/list';
  params?: { _meta?: MetaObject };
}

export interface ListRootsResult {
  roots: Elder.Root[];
}
