import type { JsonObject } from '../../base/json.ts';
import { metaKeys } from '../../model/meta.ts';
import type { Implementation } from '../../model/types.ts';
import { lower as elder } from '../2025-11-25/lower.ts';
import type { Lower } from '../wire.ts';

const revision = '2026-07-28';

/** `_meta` of a result: who answers, and what the author added. */
function resultMeta(server: Implementation, meta?: JsonObject): JsonObject {
  return meta === undefined ? { [metaKeys.serverInfo]: server } : { ...meta, [metaKeys.serverInfo]: server };
}

export const lower: Lower = {
  ...elder,
  requestMeta: ({ info, capabilities }) => ({
    [metaKeys.protocolVersion]: revision,
    [metaKeys.clientCapabilities]: capabilities,
    [metaKeys.clientInfo]: info,
  }),
  tool: (tool) => ({ ...elder.tool(tool), outputSchema: tool.outputSchema }),
  toolsPage(page, { ttlMs, cacheScope }, server) {
    return {
      resultType: 'complete',
      tools: page.tools.map((tool) => this.tool(tool)),
      nextCursor: page.nextCursor,
      ttlMs,
      cacheScope,
      _meta: resultMeta(server),
    };
  },
  callToolResult: (result, server) => ({
    resultType: 'complete',
    content: result.content,
    structuredContent: result.structuredContent,
    isError: result.isError,
    _meta: resultMeta(server, result._meta),
  }),
  description: ({ capabilities, serverInfo, instructions }, versions, { ttlMs, cacheScope }) => ({
    resultType: 'complete',
    supportedVersions: versions,
    capabilities,
    instructions,
    ttlMs,
    cacheScope,
    _meta: resultMeta(serverInfo),
  }),
  emptyResult: (server) => ({ resultType: 'complete', _meta: resultMeta(server) }),
  subscribed: (params, subscription) => {
    const meta = params?.['_meta'];
    return { ...params, _meta: { ...(meta as JsonObject | undefined), [metaKeys.subscriptionId]: subscription } };
  },
};
