import type { JsonObject } from '../../base/json.ts';
import type { ContentBlock, Tool } from '../../model/types.ts';
import type { Lower } from '../wire.ts';

/** Text in place of content that the revision does not know and strict clients would refuse. */
export function described(kind: string, what: string | undefined): ContentBlock {
  return { type: 'text', text: what === undefined ? `[${kind}]` : `[${kind}: ${what}]` };
}

function knownContent(block: ContentBlock): ContentBlock {
  if (block.type === 'audio') return described('audio', block.mimeType);
  if (block.type === 'resource_link') return described('resource', block.uri);
  return block;
}

export const lower: Lower = {
  requestMeta: () => undefined,
  tool: (tool: Tool): JsonObject => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }),
  toolsPage(page) {
    return { tools: page.tools.map((tool) => this.tool(tool)), nextCursor: page.nextCursor };
  },
  callToolResult: (result) => ({
    content: result.content.map(knownContent),
    isError: result.isError,
    _meta: result._meta,
  }),
  description: ({ capabilities, serverInfo, instructions }, [revision]) => ({
    protocolVersion: revision,
    capabilities,
    serverInfo: { name: serverInfo.name, version: serverInfo.version },
    instructions,
  }),
  emptyResult: () => ({}),
  progress: (progressToken, { progress, total }) => ({ progressToken, progress, total }),
  subscribed: (params) => params,
};
