/** No client at all: what a script may read of answers, the good and the bad. */

const type = 'application/json';
const accept = 'application/json, text/event-stream';

const asked = (method, params, headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': type, accept, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'page', version: '1.0.0' },
};

globalThis.walk = async (url) => {
  const steps = [];
  try {
    const first = await fetch(url, asked('initialize', initialize));
    const session = first.headers.get('mcp-session-id');
    steps.push(['session id', typeof session === 'string' && session.length >= 16]);
    const ours = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    steps.push(['call', (await fetch(url, asked('tools/list', {}, ours))).status]);

    const resume = { headers: { accept: 'text/event-stream', 'last-event-id': 'none', ...ours } };
    steps.push(['unknown event id', (await fetch(url, resume)).status]);
    const unknown = await fetch(url, asked('tools/list', {}, { ...ours, 'mcp-session-id': 'nobody' }));
    steps.push(['unknown session', unknown.status, (await unknown.json()).error.message]);
    const wrong = await fetch(url, asked('tools/list', {}, { ...ours, authorization: 'Bearer wrong' }));
    steps.push(['wrong token', wrong.status, wrong.headers.get('www-authenticate')]);
    const end = await fetch(url, { method: 'DELETE', headers: ours });
    steps.push(['end', end.status]);
  } catch (error) {
    steps.push(['failed', `${error?.name}: ${error?.message}`]);
  }
  return steps;
};

/** What a page gets that may not call: nothing it can read. */
globalThis.knock = async (url) => {
  try {
    return (await fetch(url, asked('initialize', initialize))).status;
  } catch (error) {
    return error.name;
  }
};
