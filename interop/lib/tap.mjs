/**
 * Records what a server process receives and sends, below whatever library serves: the chunks of stdin and stdout, the
 * bodies of HTTP requests and responses. Nothing is consumed or delayed.
 */
import { Server as HttpServer } from 'node:http';

const limit = 4_000;
const cut = (text) => (text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text);

const messagesOf = (text) => {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
};

/**
 * @param channel where frames go: `{ frame: { way: 'in' | 'out', text } }`
 * @param onMessage sees each JSON-RPC message that comes in
 */
export function tapStdio(channel, onMessage = () => {}) {
  const lines = (way) => {
    let rest = '';
    const decoder = new TextDecoder();
    return (chunk) => {
      const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        channel.tell({ frame: { way, text: cut(line) } });
        if (way === 'in') messagesOf(line).forEach(tellCancelled(channel, onMessage));
      }
    };
  };
  const took = lines('in');
  const gave = lines('out');
  const { stdin, stdout } = process;
  const push = stdin.push.bind(stdin);
  stdin.push = (chunk, encoding) => {
    if (chunk !== null) took(chunk);
    return push(chunk, encoding);
  };
  const write = stdout.write.bind(stdout);
  stdout.write = (chunk, ...rest) => {
    gave(chunk);
    return write(chunk, ...rest);
  };
}

const tellCancelled = (channel, onMessage) => (message) => {
  if (message?.method === 'notifications/cancelled') channel.tell({ event: 'wire-cancelled', how: 'notification' });
  onMessage(message);
};

/** Like {@link tapStdio}, for every `node:http` server of this process. `listening` is the first one's address. */
export function tapHttp(channel, onMessage = () => {}) {
  let resolveListening;
  const listening = new Promise((resolve) => (resolveListening = resolve));
  const emit = HttpServer.prototype.emit;
  HttpServer.prototype.emit = function tapped(event, ...args) {
    if (event === 'listening') resolveListening(this.address());
    if (event === 'request') record(args[0], args[1], channel, onMessage);
    return emit.call(this, event, ...args);
  };
  return { listening };
}

const shown = [
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'accept',
  'content-type',
  'last-event-id',
];

/** `writeHead` takes headers as an object, as pairs or as a flat list. */
function contentTypeIn(headers) {
  if (headers === null || typeof headers !== 'object') return undefined;
  const flat = Array.isArray(headers) ? headers.flat() : Object.entries(headers).flat();
  const at = flat.findIndex((each, index) => index % 2 === 0 && String(each).toLowerCase() === 'content-type');
  return at === -1 ? undefined : flat[at + 1];
}

function record(request, response, channel, onMessage) {
  const chunks = [];
  const headers = Object.fromEntries(
    shown.filter((name) => request.headers[name]).map((name) => [name, request.headers[name]]),
  );
  const push = request.push.bind(request);
  const head = `${request.method} ${request.url} ${JSON.stringify(headers)}`;
  request.push = (chunk, encoding) => {
    if (chunk !== null) chunks.push(Buffer.from(chunk));
    else {
      const body = Buffer.concat(chunks).toString();
      channel.tell({ frame: { way: 'in', text: cut(`${head} ${body}`) } });
      messagesOf(body).forEach(tellCancelled(channel, onMessage));
    }
    return push(chunk, encoding);
  };
  let type = '';
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status, ...rest) => {
    type = contentTypeIn(rest.at(-1)) ?? '';
    return writeHead(status, ...rest);
  };
  const gave = (chunk) => {
    const bytes = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : '(end)';
    const text = `${response.statusCode} ${response.getHeader('content-type') ?? type} ${Buffer.from(bytes).toString()}`;
    channel.tell({ frame: { way: 'out', text: cut(text) } });
  };
  const write = response.write.bind(response);
  response.write = (chunk, ...rest) => {
    gave(chunk);
    return write(chunk, ...rest);
  };
  const end = response.end.bind(response);
  response.end = (chunk, ...rest) => {
    gave(chunk);
    return end(chunk, ...rest);
  };
  response.on('close', () => {
    if (response.writableFinished) return;
    channel.tell({ frame: { way: 'in', text: `${request.method} ${request.url}: the caller closed the response` } });
    if (request.method === 'POST') channel.tell({ event: 'wire-cancelled', how: 'closed' });
  });
}
