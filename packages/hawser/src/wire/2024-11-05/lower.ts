import type { JsonObject } from '../../base/json.ts';
import type { CreateMessageParams, CreateMessageResult, SamplingContent } from '../../model/inputs.ts';
import type { ContentBlock, Tool } from '../../model/types.ts';
import type { Lower } from '../wire.ts';

/** Text in place of content that the revision does not know and strict clients would refuse. */
export function described(kind: string, what: string | undefined): ContentBlock & { type: 'text' } {
  return { type: 'text', text: what === undefined ? `[${kind}]` : `[${kind}: ${what}]` };
}

/** Sampling as it was before a message could hold several blocks: one message for each of them. */
export function oneBlockEach(
  { messages, tools, toolChoice, ...params }: CreateMessageParams,
  known: (block: SamplingContent) => SamplingContent,
): JsonObject | undefined {
  const blocks = messages.flatMap(({ role, content }) =>
    (Array.isArray(content) ? content : [content]).map((block) => ({ role, content: known(block) })),
  );
  const talksOfTools = blocks.some(({ content }) => content.type === 'tool_use' || content.type === 'tool_result');
  if (talksOfTools || tools !== undefined || toolChoice !== undefined) return undefined;
  return { ...params, messages: blocks };
}

/** What a model said, as one block: text takes in what may not stand beside it. */
function oneBlock({ content, ...result }: CreateMessageResult): JsonObject {
  if (!Array.isArray(content)) return { ...result, content };
  const [only] = content;
  if (content.length === 1) return { ...result, content: only };
  const texts = content.map((block) =>
    block.type === 'text'
      ? block.text
      : described(block.type, typeof block['mimeType'] === 'string' ? block['mimeType'] : undefined).text,
  );
  return { ...result, content: { type: 'text', text: texts.join('\n') } };
}

export const lower: Lower = {
  requestMeta: () => undefined,
  tool: (tool: Tool): JsonObject => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }),
  toolsPage(page) {
    return { tools: page.entries.map((tool) => this.tool(tool)), nextCursor: page.nextCursor };
  },
  content(block) {
    if (block.type === 'audio') return described('audio', block.mimeType);
    if (block.type === 'resource_link') return described('resource', block.uri);
    return block;
  },
  callToolResult(result) {
    return {
      content: result.content.map((block) => this.content(block)),
      isError: result.isError,
      _meta: result._meta,
    };
  },
  description: ({ capabilities, serverInfo, instructions }, [revision]) => ({
    protocolVersion: revision,
    capabilities,
    serverInfo: { name: serverInfo.name, version: serverInfo.version },
    instructions,
  }),
  emptyResult: () => ({}),
  resource: ({ uri, name, description, mimeType, annotations, size }) => ({
    uri,
    name,
    description,
    mimeType,
    annotations,
    size,
  }),
  resourcesPage(page) {
    return { resources: page.entries.map((resource) => this.resource(resource)), nextCursor: page.nextCursor };
  },
  template: ({ uriTemplate, name, description, mimeType, annotations }) => ({
    uriTemplate,
    name,
    description,
    mimeType,
    annotations,
  }),
  templatesPage(page) {
    return { resourceTemplates: page.entries.map((template) => this.template(template)), nextCursor: page.nextCursor };
  },
  readResult: ({ contents, _meta }) => ({ contents, _meta }),
  prompt: ({ name, description, arguments: args }) => ({
    name,
    description,
    arguments: args?.map((arg) => ({ name: arg.name, description: arg.description, required: arg.required })),
  }),
  promptsPage(page) {
    return { prompts: page.entries.map((prompt) => this.prompt(prompt)), nextCursor: page.nextCursor };
  },
  promptResult({ description, messages, _meta }) {
    return {
      description,
      messages: messages.map(({ role, content }) => ({ role, content: this.content(content) })),
      _meta,
    };
  },
  completion: (completion) => ({ completion }),
  inputRequest(request) {
    switch (request.method) {
      case 'sampling/createMessage':
        return oneBlockEach(request.params, (block) =>
          block.type === 'audio' ? described('audio', block.mimeType) : block,
        );
      case 'roots/list':
        return { ...request.params };
      case 'elicitation/create':
        return undefined;
    }
  },
  inputRequired() {
    throw new TypeError('a legacy revision has no result that asks for input');
  },
  inputResponse: (response) => ('model' in response ? oneBlock(response) : { ...response }),
  clientCapabilities: ({ experimental, roots, sampling }) => ({
    experimental,
    roots,
    sampling: sampling && {},
  }),
  progress: (progressToken, { progress, total }) => ({ progressToken, progress, total }),
  subscribed: (params) => params,
};
