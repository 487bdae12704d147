import { isObject } from '../../base/json.ts';
import type { ClientCapabilities, JsonSchema } from '../../model/types.ts';
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
  content: (block) => block,
  callToolResult: (result) => ({
    content: result.content,
    structuredContent: isObject(result.structuredContent) ? result.structuredContent : undefined,
    isError: result.isError,
    _meta: result._meta,
  }),
  resource: (resource) => ({ ...elder.resource(resource), title: resource.title, _meta: resource._meta }),
  template: (template) => ({ ...elder.template(template), title: template.title, _meta: template._meta }),
  prompt: (prompt) => ({
    ...elder.prompt(prompt),
    title: prompt.title,
    arguments: prompt.arguments,
    _meta: prompt._meta,
  }),
  promptResult: ({ description, messages, _meta }) => ({ description, messages, _meta }),
  description: (description, versions, hints) => {
    const { name, version, title } = description.serverInfo;
    return { ...elder.description(description, versions, hints), serverInfo: { name, version, title } };
  },
  inputRequest(request) {
    if (request.method !== 'elicitation/create') return elder.inputRequest(request);
    const { params } = request;
    if (params.mode === 'url') return undefined;
    return { message: params.message, requestedSchema: plainChoices(params.requestedSchema), _meta: params._meta };
  },
  clientCapabilities: (capabilities) => ({
    ...elder.clientCapabilities(capabilities),
    elicitation: asksForms(capabilities) ? {} : undefined,
  }),
};

/** This revision knows forms only; a declaration that names no mode means them too. */
function asksForms({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Choices with titles, as this revision has them: `enum` and `enumNames`. */
function plainChoices(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const plain = Object.entries(properties).map(([name, property]) => [name, plainChoice(property)] as const);
  return { ...schema, properties: Object.fromEntries(plain) };
}

function plainChoice(property: unknown): unknown {
  if (!isObject(property) || !Array.isArray(property['oneOf'])) return property;
  const { oneOf, ...rest } = property;
  const choices = (oneOf as unknown[]).filter(isObject);
  return {
    ...rest,
    enum: choices.map((choice) => choice['const']),
    enumNames: choices.map((choice) => choice['title'] ?? choice['const']),
  };
}
