import { lower as elder } from '../2025-06-18/lower.ts';
import type { Lower } from '../wire.ts';

export const lower: Lower = {
  ...elder,
  tool: (tool) => ({ ...elder.tool(tool), icons: tool.icons }),
  description: (description, versions, hints) => ({
    ...elder.description(description, versions, hints),
    serverInfo: description.serverInfo,
  }),
};
