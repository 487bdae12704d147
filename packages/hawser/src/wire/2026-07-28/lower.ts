import type { JsonObject } from '../../base/json.ts';
import { metaKeys } from '../../model/meta.ts';
import type { CacheHints, Implementation } from '../../model/types.ts';
import { lower as elder } from '../2025-11-25/lower.ts';
import type { Lower } from '../wire.ts';

const revision = '2026-07-28';

/** `_meta` of a result: who answers, and what the author added. */
function resultMeta(server: Implementation, meta?: JsonObject): JsonObject {
  return meta === undefined ? { [metaKeys.serverInfo]: server } : { ...meta, [metaKeys.serverInfo]: server };
}

function cacheable(
  { _meta, ...result }: JsonObject,
  { ttlMs, cacheScope }: CacheHints,
  server: Implementation,
): JsonObject {
  return { resultType: 'complete', ...result, ttlMs, cacheScope, _meta: resultMeta(server, _meta as JsonObject) };
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
      tools: page.entries.map((tool) => this.tool(tool)),
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
  resourcesPage(page, hints, server) {
    return cacheable(elder.resourcesPage.call(this, page, hints, server), hints, server);
  },
  templatesPage(page, hints, server) {
    return cacheable(elder.templatesPage.call(this, page, hints, server), hints, server);
  },
  promptsPage(page, hints, server) {
    return cacheable(elder.promptsPage.call(this, page, hints, server), hints, server);
  },
  readResult: ({ contents, _meta }, hints, server) => cacheable({ contents, _meta }, hints, server),
  promptResult: ({ description, messages, _meta }, server) => ({
    resultType: 'complete',
    description,
    messages,
    _meta: resultMeta(server, _meta),
  }),
  completion: (completion, server) => ({ resultType: 'complete', completion, _meta: resultMeta(server) }),
  inputRequest: ({ method, params }) => {
    if (method !== 'elicitation/create' || params.mode !== 'url') return { ...params };
    const { elicitationId: _, ...rest } = params;
    return rest;
  },
  inputRequired({ inputRequests, requestState, _meta }, server) {
    const lowered =
      inputRequests &&
      Object.fromEntries(
        Object.entries(inputRequests).map(([key, request]) => [
          key,
          { method: request.method, params: this.inputRequest(request) },
        ]),
      );
    return { resultType: 'input_required', inputRequests: lowered, requestState, _meta: resultMeta(server, _meta) };
  },
  clientCapabilities: ({ roots, ...capabilities }) => ({ ...capabilities, ...(roots && { roots: {} }) }),
  emptyResult: (server) => ({ resultType: 'complete', _meta: resultMeta(server) }),
  subscribed: (params, subscription) => {
    const meta = params?.['_meta'];
    return { ...params, _meta: { ...(meta as JsonObject | undefined), [metaKeys.subscriptionId]: subscription } };
  },
};
