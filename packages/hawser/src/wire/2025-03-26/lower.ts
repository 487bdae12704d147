import { described, lower as elder, oneBlockEach } from '../2024-11-05/lower.ts';
import type { Lower } from '../wire.ts';

export const lower: Lower = {
  ...elder,
  tool: (tool) => ({ ...elder.tool(tool), annotations: tool.annotations }),
  content: (block) => (block.type === 'resource_link' ? described('resource', block.uri) : block),
  inputRequest: (request) =>
    request.method === 'sampling/createMessage'
      ? oneBlockEach(request.params, (block) => block)
      : elder.inputRequest(request),
  progress: (progressToken, { progress, total, message }) => ({ progressToken, progress, total, message }),
};
