/** A listener that never reads, and 200,000 changes: what it costs the server, and what it gets when it reads after all. */
import { host } from '../../bench/lib/procs.mjs';
import { Callers, Counter } from '../lib/callers.mjs';
import { keptMb, round } from '../lib/checks.mjs';
import { Until } from '../lib/until.mjs';

const uri = 'x://r';
/** What a thousand notices, a socket's buffers and a busy heap may take, in MiB. */
const boundMb = 8;

/** Opens the stalled stream in the way of each generation. */
const openers = {
  modern: (callers) => callers.listen(1, [uri]),
  legacy: async (callers) => {
    const session = await callers.session();
    if ((await callers.call(session, 'resources/subscribe', { uri })) !== 200) throw new Error('not subscribed');
    return callers.get(session);
  },
};

async function ours(era, turns, changes, checks) {
  const server = await host('http-server.mjs', { id: 'hawser', era, app: 'changes' });
  const callers = new Callers(server.url);
  try {
    const stream = await openers[era](callers);
    const before = keptMb(await server.ask('settled'));
    let highest = 0;
    const step = turns ? 20_000 : 100;
    for (let from = 0; from < changes; from += step) {
      // All different: nothing can be left out because it has been told already.
      await server.ask('change', { from, count: step, span: changes, turns });
      if (from % 20_000 === 0) highest = Math.max(highest, keptMb(await server.ask('settled')) - before);
    }
    highest = Math.max(highest, keptMb(await server.ask('settled')) - before);
    const how = `${era}, ${turns ? 'one change per turn' : 'bursts of 100'}`;
    checks.atMost(`${how}: kept, MiB`, highest, boundMb);
    const until = new Until();
    const counter = new Counter({ wake: until.wake });
    stream.read(counter.take);
    const wanted = changes - 1;
    await until
      .holds(
        () => counter.last === wanted,
        () => `${how}: the newest change has not come, but ${counter.last}`,
        10_000,
      )
      .then(
        () => checks.that(`${how}: read after all, it gets ${counter.count} of ${changes}, the newest last`, true),
        (error) => checks.that(error.message, false),
      );
  } finally {
    callers.close();
    await server.stop();
  }
}

/** The same of the official SDK, which sends every change to everybody. */
async function theirs(peer, changes, checks) {
  const server = await host('http-server.mjs', { id: peer, era: 'modern', app: 'changes' });
  const callers = new Callers(server.url);
  try {
    const span = 100;
    await callers.listen(
      1,
      Array.from({ length: span }, (_, n) => `${uri}/${n}`),
    );
    const before = keptMb(await server.ask('settled'));
    for (let from = 0; from < changes; from += 100) await server.ask('change', { from, count: 100, span });
    checks.say(`beside it ${peer}, bursts of 100: kept ${round(keptMb(await server.ask('settled')) - before)} MiB`);
  } finally {
    callers.close();
    await server.stop();
  }
}

export async function stalled({ changes, peer, checks }) {
  for (const era of ['modern', 'legacy']) for (const turns of [false, true]) await ours(era, turns, changes, checks);
  if (peer !== undefined) await theirs(peer, changes, checks);
}
