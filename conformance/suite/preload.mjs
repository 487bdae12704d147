// Loaded into the process of the public suite before the suite itself. The suite's own files stay as published.

import * as fs from 'node:fs';
import { register } from 'node:module';
import { Server } from 'node:net';

// The suite imports `globSync` from `fs`, which Node 20 does not have.
if (fs.globSync === undefined) register('./hooks.mjs', import.meta.url);

// Its mock servers call `listen(0)`, which opens them to the whole network. Adding a host to that call would make it
// asynchronous, and the suite reads the port at once; so the address is set one step later, in Node's own method.
const listen = Server.prototype._listen2;
if (typeof listen !== 'function')
  throw new Error('this Node version has no net.Server#_listen2 to keep mocks on loopback');
Server.prototype._listen2 = function (address, port, addressType, ...rest) {
  return address === null || address === undefined
    ? listen.call(this, '127.0.0.1', port, 4, ...rest)
    : listen.call(this, address, port, addressType, ...rest);
};
