/** Requests as headers and body, and as the very text that goes over the wire. */
import { initializeParams, legacyRequest, modernRequest } from '../../bench/lib/wire.mjs';

/** Each request of a caller: `{ method, headers, body }`. */
export function requestsOf(caller) {
  const authorized = ({ headers, body }, method = 'POST') => ({
    method,
    headers: { ...headers, authorization: `Bearer ${caller.token}` },
    body,
  });
  const tool = (name, args) => ({ name, arguments: args, _meta: { progressToken: 'p' } });
  const inSession = (session, method) => {
    const { 'content-type': _, ...headers } = legacyRequest(session, '').headers;
    return authorized({ headers, body: undefined }, method);
  };
  return {
    initialize: () => authorized(legacyRequest(null, 'initialize', initializeParams, 0)),
    legacy: (session, method, params, id) => authorized(legacyRequest(session, method, params, id)),
    legacyCall: (session, name, args, id) => authorized(legacyRequest(session, 'tools/call', tool(name, args), id)),
    modernCall: (name, args, id) => authorized(modernRequest('tools/call', tool(name, args), id)),
    listen: (id) =>
      authorized(modernRequest('subscriptions/listen', { notifications: { resourceSubscriptions: [caller.uri] } }, id)),
    get: (session, lastEventId) => {
      const { headers, ...rest } = inSession(session, 'GET');
      const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      return { ...rest, headers: { ...headers, accept: 'text/event-stream', ...resumed } };
    },
    end: (session) => inSession(session, 'DELETE'),
  };
}

/** The head of a request, and its body. */
export function textOf({ method, headers, body }) {
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n`, body: body ?? '' };
}

export const wholeTextOf = (request) => {
  const { head, body } = textOf(request);
  return head + body;
};

/** The session that an answer to `initialize` opens. */
export const sessionOf = (id) => ({ id, version: initializeParams.protocolVersion });
