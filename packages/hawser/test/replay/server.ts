/** A server with a tool for each kind of handler. */
import { systemClock, type Clock } from '../../src/base/clock.ts';
import type { Json } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import { kinds, type Effects } from './kinds.ts';

/** Time for programs and sockets: all limits are a quarter of what they are. */
const hasty: Clock = { ...systemClock, after: (delayMs, run) => systemClock.after(delayMs / 4, run) };

/** What was seen of a kind since it was last begun. */
export interface Seen {
  effects: string[];
  warnings: string[];
}

/** `kind` runs the handler of kind `at`; `begin` makes a new one; `seen` tells what was seen of it. */
export function kindsServer(): Server {
  let effects: Effects = [];
  let warnings: string[] = [];
  let handlers = kinds.map(({ make }) => make(effects));
  const warn = (message: string): void => void warnings.push(message);
  // That a handler failed is seen by what the caller gets.
  const error = (message: string): void => (/^tool ".*" failed$/.test(message) ? undefined : warn(message));
  const server = new Server({
    name: 'kinds',
    version: '1',
    clock: hasty,
    stateKeys: ['a secret of at least 16 bytes'],
    logger: { debug() {}, info() {}, warn, error },
  });
  const input = { type: 'object', properties: { at: { type: 'integer' } } };
  server.tool('begin', {}, () => {
    effects = [];
    warnings = [];
    handlers = kinds.map(({ make }) => make(effects));
    return 'begun';
  });
  server.tool('kind', { input }, async (args, ctx) => {
    const value = await handlers[Number(args['at'])]?.(ctx);
    return String(value);
  });
  server.tool('seen', {}, () => ({ structured: { effects, warnings } as unknown as Json }));
  return server;
}
