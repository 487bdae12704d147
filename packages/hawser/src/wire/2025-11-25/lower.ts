import { lower as elder } from '../2025-06-18/lower.ts';
import type { Lower } from '../wire.ts';

export const lower: Lower = {
  ...elder,
  tool: (tool) => ({ ...elder.tool(tool), icons: tool.icons }),
  resource: (resource) => ({ ...elder.resource(resource), icons: resource.icons }),
  template: (template) => ({ ...elder.template(template), icons: template.icons }),
  prompt: (prompt) => ({ ...elder.prompt(prompt), icons: prompt.icons }),
  description: (description, versions, hints) => ({
    ...elder.description(description, versions, hints),
    serverInfo: description.serverInfo,
  }),
  inputRequest: ({ params }) => ({ ...params }),
  inputResponse: (response) => ({ ...response }),
  clientCapabilities: (capabilities) => ({ ...capabilities }),
};
