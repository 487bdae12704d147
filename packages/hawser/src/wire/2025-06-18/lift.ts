import type { Json } from '../../base/json.ts';
import { lift as elder } from '../2025-03-26/lift.ts';
import type { Lift } from '../wire.ts';

export const lift: Lift = {
  ...elder,
  callToolResult(result) {
    const lifted = elder.callToolResult(result);
    // Presence is what counts: `null` is a value.
    if (result['structuredContent'] !== undefined) lifted.structuredContent = result['structuredContent'] as Json;
    return lifted;
  },
};
