/**
 * The server under attack, in a process of its own. Every caller has a token and a secret; whatever the server says to
 * a caller has that caller's secret in it and nobody else's.
 */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';
import { gc, serveCommands, usage } from '../bench/lib/commands.mjs';
import { breakIt } from './broken.mjs';

const { callers, limits, broken } = JSON.parse(process.argv[2]);
const byToken = new Map(callers.map((caller) => [`Bearer ${caller.token}`, caller]));
const secrets = new Map(callers.map(({ name, secret }) => [name, secret]));
const counts = { started: 0, ended: 0, aborted: 0, errors: 0 };

const server = new Server({ name: 'faults', version: '1.0.0' });
const integer = (name) => ({ type: 'object', properties: { [name]: { type: 'integer', minimum: 0 } } });
const gatedInput = {
  type: 'object',
  properties: { n: { type: 'integer' }, key: { type: 'string' } },
  required: ['key'],
};
const sabotage = breakIt(broken, { secrets, callers });

/** A tool that gives its caller's secret after `work`. */
function tool(name, input, work) {
  server.tool(name, { input }, async (args, ctx) => {
    const secret = sabotage.secretFor(ctx.caller.principal);
    counts.started += 1;
    try {
      await work(args, ctx, secret);
    } finally {
      counts.ended += 1;
      if (ctx.signal.aborted) counts.aborted += 1;
    }
    return secret;
  });
}

tool('whoami', { type: 'object' }, () => undefined);
tool('steps', integer('n'), async ({ n }, ctx, secret) => {
  for (let step = 1; step <= n && !ctx.signal.aborted; step += 1) {
    await ctx.progress(step, n, secret);
    await turn();
  }
});
/** By the key that a caller gives: calls that end when the caller says so. */
const gates = new Map();
tool('gated', gatedInput, async ({ n, key }, ctx, secret) => {
  const opened = new Promise((resolve) => {
    gates.set(key, resolve);
  });
  for (let step = 1; step <= n; step += 1) {
    await ctx.progress(step, n, secret);
    await turn();
  }
  await opened;
});
tool('open', gatedInput, ({ key }) => {
  gates.get(key)?.();
  gates.delete(key);
});
tool('wait', integer('ms'), ({ ms }, ctx) => sabotage.wait(ms, ctx.signal, delay).catch(() => undefined));
server.resource('x://r', { name: 'r' }, () => '');

const log = [];
const note = (level) => (message, details) => {
  if (level === 'error') counts.errors += 1;
  if (log.length < 50) log.push(`${level}: ${message} ${details instanceof Error ? details.stack : (details ?? '')}`);
};
const serving = await serveHttp(server, {
  ...limits,
  authenticate: ({ header }) => {
    const known = byToken.get(header('authorization') ?? '');
    return known === undefined ? { status: 401 } : { principal: known.name };
  },
  logger: { debug: () => undefined, info: () => undefined, warn: note('warn'), error: note('error') },
});

let farewell;
const state = () => ({ open: { ...serving.open }, counts: { ...counts } });

serveCommands(
  { port: serving.port },
  {
    state: async () => state(),
    settled: async () => (await gc(), { ...usage(), ...state() }),
    log: async () => log,
    /**
     * Tells each of `names` of `count` changes to resources that only it listens for, from number `from` on.
     * `padding`: how many characters longer their names are.
     */
    change: async ({ names, from, count, padding = 0 }) => {
      const rest = padding === 0 ? '' : `/${'x'.repeat(padding)}`;
      for (let n = from; n < from + count; n += 1)
        for (const name of names) server.changed.resource(`x://${secrets.get(name)}/${n}${rest}`);
    },
    /** Answered when the server has closed after SIGTERM. */
    farewell: () =>
      new Promise((resolve) => {
        farewell = resolve;
      }),
  },
);

async function leave() {
  await sabotage.close(serving, { drainMs: 3_000 });
  // What was cut off by the deadline has still to unwind.
  for (let turns = 0; turns < 100 && counts.started > counts.ended; turns += 1) await turn();
  farewell?.(state());
  // From here on nothing may keep this process: it has to end by itself.
  await turn();
  process.removeAllListeners('disconnect');
  process.disconnect();
}

process.once('SIGTERM', () => void leave());
