import { isObject } from '../../base/json.ts';
import {
  readCreateMessageParams,
  readCreateMessageResult,
  readElicitParams,
  readElicitResult,
  readRootsResult,
} from '../read-inputs.ts';
import { readPrompts, readResources, readTemplates, readTools } from '../read-lists.ts';
import {
  optionalString,
  readCompletion,
  readContent,
  readImplementation,
  readPrompt,
  readResource,
  wrong,
} from '../read.ts';
import type { Lift } from '../wire.ts';

export const lift: Lift = {
  complete: (result) => result,
  description(result) {
    const { protocolVersion, capabilities } = result;
    if (typeof protocolVersion !== 'string') throw wrong('initialize: protocolVersion is missing');
    const serverInfo = readImplementation(result['serverInfo']);
    const instructions = optionalString(result['instructions']);
    return {
      versions: [protocolVersion],
      capabilities: isObject(capabilities) ? capabilities : {},
      ...(serverInfo && { serverInfo }),
      ...(instructions !== undefined && { instructions }),
    };
  },
  toolsPage: readTools,
  callToolResult(result) {
    const { isError, _meta } = result;
    return {
      content: readContent(result['content']),
      ...(isError === true && { isError }),
      ...(isObject(_meta) && { _meta }),
    };
  },
  resourcesPage: readResources,
  templatesPage: readTemplates,
  readResult: readResource,
  promptsPage: readPrompts,
  promptResult: readPrompt,
  completion: readCompletion,
  inputRequired: () => undefined,
  elicitParams: readElicitParams,
  createMessageParams: readCreateMessageParams,
  elicitResult: readElicitResult,
  createMessageResult: readCreateMessageResult,
  rootsResult: readRootsResult,
};
