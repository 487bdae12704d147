/** Many listeners and many changes: nothing is lost for those who read, and one of them never does. */
import { host } from '../../bench/lib/procs.mjs';
import { Callers, Counter, each } from '../lib/callers.mjs';
import { keptMb, round } from '../lib/checks.mjs';
import { connectionsFor } from '../lib/limits.mjs';
import { Until } from '../lib/until.mjs';

/** Resources that change in turn, which is also how many changes go out in one burst: no two of a burst are alike. */
const span = 100;
const uris = Array.from({ length: span }, (_, n) => `x://r/${n}`);

async function run(id, { streams, changes, checks, stalled = 0 }) {
  const server = await host('http-server.mjs', { id, era: 'modern', app: 'changes' });
  const callers = new Callers(server.url);
  try {
    const wanted = connectionsFor(streams, await server.ask('limits'), (line) => stalled > 0 && checks.say(line));
    const idle = await server.ask('settled');
    let arrived = 0;
    const until = new Until();
    const counters = Array.from({ length: wanted }, () => new Counter({ span }));
    const takes = counters.map((counter) => (chunk) => {
      const before = counter.count;
      counter.take(chunk);
      arrived += counter.count - before;
      until.wake();
    });
    await each(wanted, 50, (n) => callers.listen(n + 1, uris, takes[n]));
    for (let n = 0; n < stalled; n += 1) await callers.listen(`stalled-${n}`, uris);
    const open = await server.ask('settled');
    const begin = performance.now();
    for (let from = 0; from < changes; from += span) {
      await server.ask('change', { from, count: span, span });
      const due = wanted * (from + span);
      await until.holds(
        () => arrived >= due,
        () => `${id}: ${arrived} of ${due} notices`,
      );
    }
    const seconds = (performance.now() - begin) / 1000;
    const done = await server.ask('settled');
    return {
      streams: wanted,
      perSecond: (wanted * changes) / seconds,
      cpuUs: (done.cpuUs - open.cpuUs) / (wanted * changes),
      heapKb: (open.heapUsed - idle.heapUsed) / 1024 / wanted,
      keptMb: keptMb(done) - keptMb(open),
      complete: counters.filter(({ count }) => count === changes).length,
      inOrder: counters.filter(({ gaps }) => gaps === 0).length,
    };
  } finally {
    callers.close();
    await server.stop();
  }
}

const figures = ({ perSecond, cpuUs, heapKb }) =>
  `${round(perSecond, 0)} deliveries/s, ${round(cpuUs)} µs of the server each, ${round(heapKb)} KB heap per stream`;

export async function fanout({ streams, changes, peer, checks }) {
  const ours = await run('hawser', { streams, changes, checks, stalled: 1 });
  checks.equal(
    `of ${ours.streams} readers beside a stalled one have had all ${changes} changes`,
    ours.complete,
    ours.streams,
  );
  checks.equal('in order', ours.inOrder, ours.streams);
  checks.atMost('kept after it, MiB', ours.keptMb, 8);
  checks.say(`hawser: ${figures(ours)}`);
  if (peer === undefined) return;
  const few = Math.min(changes, 1_000);
  // The same changes for both, and nobody stalls: a stalled listener would cost the peer more than the rest.
  const [same, theirs] = [
    await run('hawser', { streams, changes: few, checks }),
    await run(peer, { streams, changes: few, checks }),
  ];
  checks.say(`${few} changes to ${same.streams} readers, side by side:`);
  checks.say(`  hawser ${figures(same)}`);
  checks.say(`  ${peer} ${figures(theirs)}${theirs.complete < theirs.streams ? ', NOT COMPLETE' : ''}`);
  checks.that(
    `deliveries: ${round(same.perSecond / theirs.perSecond, 2)} × ${peer}`,
    same.perSecond > theirs.perSecond,
  );
}
