import { described, lower as elder } from '../2024-11-05/lower.ts';
import type { Lower } from '../wire.ts';

export const lower: Lower = {
  ...elder,
  tool: (tool) => ({ ...elder.tool(tool), annotations: tool.annotations }),
  callToolResult: (result) => ({
    content: result.content.map((block) => (block.type === 'resource_link' ? described('resource', block.uri) : block)),
    isError: result.isError,
    _meta: result._meta,
  }),
  progress: (progressToken, { progress, total, message }) => ({ progressToken, progress, total, message }),
};
