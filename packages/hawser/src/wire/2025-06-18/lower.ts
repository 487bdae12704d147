import { isObject } from '../../base/json.ts';
import { lower as elder } from '../2025-03-26/lower.ts';
import type { Lower } from '../wire.ts';

export const lower: Lower = {
  ...elder,
  tool: (tool) => ({
    ...elder.tool(tool),
    title: tool.title,
    // A root that is not an object would make strict clients refuse the whole list.
    outputSchema: tool.outputSchema?.['type'] === 'object' ? tool.outputSchema : undefined,
    _meta: tool._meta,
  }),
  callToolResult: (result) => ({
    content: result.content,
    structuredContent: isObject(result.structuredContent) ? result.structuredContent : undefined,
    isError: result.isError,
    _meta: result._meta,
  }),
  description: (description, versions, hints) => {
    const { name, version, title } = description.serverInfo;
    return { ...elder.description(description, versions, hints), serverInfo: { name, version, title } };
  },
};
