import { isObject, type Json } from '../../base/json.ts';
import { lift as elder } from '../2025-03-26/lift.ts';
import type { Lift } from '../wire.ts';

export const lift: Lift = {
  ...elder,
  callToolResult(result) {
    const lifted = elder.callToolResult(result);
    // Anything but an object is not of this revision, and as good as absent.
    const structured = result['structuredContent'];
    if (isObject(structured)) lifted.structuredContent = structured as Json;
    return lifted;
  },
};
