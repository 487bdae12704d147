import { isObject } from '../../base/json.ts';
import { optionalString, readContent, readImplementation, readTools, wrong } from '../read.ts';
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
};
