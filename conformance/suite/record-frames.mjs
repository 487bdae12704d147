// Loaded before the server fixture with --verbose: writes every HTTP exchange to the file CONFORMANCE_FRAMES names.
// It listens below the server under test, so what it writes is what went over the wire.

import { appendFileSync } from 'node:fs';
import { Server } from 'node:http';

const file = process.env.CONFORMANCE_FRAMES;
const emit = Server.prototype.emit;
let exchanges = 0;

Server.prototype.emit = function (event, ...args) {
  if (event === 'request') record(...args);
  return emit.call(this, event, ...args);
};

function record(request, response) {
  const id = (exchanges += 1);
  const write = (text) => appendFileSync(file, `#${id} ${text}\n`);
  write(`> ${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
  const push = request.push;
  request.push = function (chunk, ...rest) {
    if (chunk !== null) write(`> ${text(chunk)}`);
    return push.call(this, chunk, ...rest);
  };
  const { writeHead, write: send, end } = response;
  let headed = false;
  const head = () => {
    if (headed) return;
    headed = true;
    write(`< ${response.statusCode} ${JSON.stringify(response.getHeaders())}`);
  };
  response.writeHead = function (status, ...rest) {
    headed = true;
    write(`< ${status} ${JSON.stringify({ ...response.getHeaders(), ...rest.at(-1) })}`);
    return writeHead.call(this, status, ...rest);
  };
  response.write = function (chunk, ...rest) {
    head();
    write(`< ${text(chunk)}`);
    return send.call(this, chunk, ...rest);
  };
  response.end = function (chunk, ...rest) {
    head();
    write(`< ${text(chunk)} (end)`);
    return end.call(this, chunk, ...rest);
  };
  response.once('close', () => {
    if (!response.writableFinished) write('x closed before its end');
  });
}

/** Of the first argument of `write`, `end` or `push`, which may also be a callback or absent. */
function text(chunk) {
  if (typeof chunk === 'string') return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : '';
}
