import { isObject, type Json } from '../../base/json.ts';
import { sample } from '../../base/logger.ts';
import { metaKeys } from '../../model/meta.ts';
import { lift as elder } from '../2025-11-25/lift.ts';
import { optionalString, readImplementation, wrong } from '../read.ts';
import type { Lift } from '../wire.ts';
import { mayAsk } from './methods.ts';

export const lift: Lift = {
  ...elder,
  complete(result) {
    const kind = result['resultType'];
    if (kind === undefined || kind === 'complete') return result;
    throw wrong(`a result of the unknown kind ${typeof kind === 'string' ? `"${sample(kind, 40)}"` : typeof kind}`);
  },
  description(result) {
    const { supportedVersions, capabilities, _meta } = result;
    if (!Array.isArray(supportedVersions)) throw wrong('server/discover: supportedVersions is missing');
    // A stray serverInfo beside _meta comes from servers written against drafts; it is only shown.
    const said = isObject(_meta) ? _meta[metaKeys.serverInfo] : undefined;
    const serverInfo = readImplementation(said ?? result['serverInfo']);
    const instructions = optionalString(result['instructions']);
    return {
      versions: supportedVersions.filter((version) => typeof version === 'string'),
      capabilities: isObject(capabilities) ? capabilities : {},
      ...(serverInfo && { serverInfo }),
      ...(instructions !== undefined && { instructions }),
    };
  },
  inputRequired(method, { resultType, inputRequests, requestState }) {
    return resultType === 'input_required' && mayAsk.has(method) ? { inputRequests, requestState } : undefined;
  },
  callToolResult(result) {
    const lifted = elder.callToolResult(result);
    // Presence is what counts: `null` is a value.
    if (result['structuredContent'] !== undefined) lifted.structuredContent = result['structuredContent'] as Json;
    return lifted;
  },
};
