/** A service that asks its caller in the way of the caller's era, without the library's server. */
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { Service } from '../../src/ports/index.ts';
import { wireOf } from '../../src/wire/index.ts';
import { said } from './http-peer.ts';

const hints = { ttlMs: 0, cacheScope: 'private' } as const;
const serverInfo = { name: 'asker', version: '1' };

/** A service with one tool, which asks this question; and what it was answered. */
export function serviceThatAsks(method: string, params: JsonObject): { service: Service; answers: unknown[] } {
  const answers: unknown[] = [];
  const service: Service = {
    async answer(call, exchange) {
      const { revision } = exchange.caller;
      const { lower, facts } = wireOf(revision);
      if (call.method === 'initialize' || call.method === 'server/discover')
        return { result: lower.description({ serverInfo, capabilities: { tools: {} } }, [revision], hints) };
      if (call.method !== 'tools/call') return { result: lower.emptyResult(serverInfo) };
      if (facts.asks === 'request') {
        const { ask } = exchange;
        if (ask === undefined) return { error: { code: -32603, message: 'nobody can be asked' } };
        const reply = await ask.call(exchange, { method, params });
        answers.push(reply.result ?? reply.error);
        return { result: said('asked') };
      }
      const responses = call.params?.['inputResponses'];
      if (!isObject(responses))
        return { result: { resultType: 'input_required', inputRequests: { q: { method, params } } } };
      answers.push(responses['q']);
      return { result: said('asked') };
    },
    notice() {},
  };
  return { service, answers };
}
