/** Many legacy sessions that do nothing, each with its GET stream open. */
import { host } from '../../bench/lib/procs.mjs';
import { Callers, Counter, each } from '../lib/callers.mjs';
import { round } from '../lib/checks.mjs';
import { connectionsFor } from '../lib/limits.mjs';
import { settles, Until } from '../lib/until.mjs';

/** How long a session may be idle: long enough for a busy machine to open its stream. */
const idleMs = 5_000;
/** What may be left when all are gone: tables keep some room, and a busy heap its pages. */
const maxLeftMb = 4;
/** How many requests are under way at a time. */
const width = 64;

const heapKb = (after, before, count) => (after.heapUsed - before.heapUsed) / 1024 / count;
const rssKb = (after, before, count) => (after.rss - before.rss) / 1024 / count;

/** Runs `work` with a server of its own. */
async function withServer(id, options, work) {
  const app = id === 'hawser' ? 'changes' : 'echo';
  const server = await host('http-server.mjs', { id, era: 'legacy', app, options });
  const callers = new Callers(server.url);
  try {
    await warmUp(callers);
    return await work(server, callers, await server.ask('settled'));
  } finally {
    callers.close();
    await server.stop();
  }
}

/** What is compiled on first use is no session's cost. */
async function warmUp(callers) {
  for (let n = 0; n < 200; n += 1) {
    const session = await callers.session();
    const stream = await callers.get(session, () => undefined);
    stream.reset();
    await callers.call(session, 'ping');
    await callers.send('DELETE', session);
  }
}

/** What sessions without a stream cost. */
function bare(id, sessions) {
  return withServer(id, { maxSessions: sessions }, async (server, callers, before) => {
    await each(sessions, width, () => callers.session());
    return heapKb(await server.ask('settled'), before, sessions);
  });
}

async function ours(sessions, checks) {
  const options = { sessionIdleMs: idleMs, streamsKeepAlive: true, maxSessions: sessions + 200 };
  await withServer('hawser', options, async (server, callers, before) => {
    const count = connectionsFor(sessions, await server.ask('limits'), (line) => checks.say(line));
    checks.atMost(`${count} idle sessions: KB heap each`, await bare('hawser', count), 1.5);
    const until = new Until();
    const counters = Array.from({ length: count }, () => new Counter());
    const hearing = new Set();
    const all = [];
    await each(count, width, async (n) => {
      all[n] = await callers.session();
      await callers.get(all[n], (chunk) => {
        counters[n].take(chunk);
        if (counters[n].count > 0) hearing.add(n);
        until.wake();
      });
    });
    const streaming = await server.ask('settled');
    checks.say(`open: ${JSON.stringify(await server.ask('open'))}`);
    checks.atMost(`${count} sessions with an open GET stream: KB heap each`, heapKb(streaming, before, count), 12);
    checks.say(`RSS: ${round(rssKb(streaming, before, count))} KB each, ${round(streaming.rss / 2 ** 20)} MiB in all`);

    await each(count, width, (n) => callers.call(all[n], 'resources/subscribe', { uri: 'x://r' }));
    await server.ask('change', { from: 7, count: 1, span: 100 });
    await until.holds(
      () => hearing.size === count,
      () => `a change has reached ${hearing.size} of ${count} streams`,
    );
    const told = counters.filter((counter) => counter.count === 1 && counter.last === 7).length;
    checks.equal(`of ${count} streams hear of a change, once`, told, count);

    await expiry(callers, all, checks);
    callers.reset();
    await each(count, width, (n) => callers.send('DELETE', all[n]));
    checks.equal(`of ${count} sessions are ended`, (await statuses(callers, all)).get(404) ?? 0, count);
    const open = await settles(
      () => server.ask('open'),
      (now) => Object.values(now).every((each) => each === 0),
    );
    checks.that(
      `open in the end: ${JSON.stringify(open)}`,
      Object.values(open).length > 0 && Object.values(open).every((each) => each === 0),
    );
    const left = await settles(
      async () => ((await server.ask('settled')).heapUsed - before.heapUsed) / 2 ** 20,
      (mb) => mb < maxLeftMb,
    );
    checks.atMost('heap left of them, MiB', left, maxLeftMb);
  });
}

/** Sessions with a stream stay; what becomes of those without one shows that the time was over. */
async function expiry(callers, all, checks) {
  const others = [];
  await each(100, 20, async () => others.push(await callers.session()));
  await new Promise((resolve) => setTimeout(resolve, idleMs + 1_000));
  const there = (await statuses(callers, all)).get(200) ?? 0;
  checks.equal(`of ${all.length} are there after ${idleMs / 1000} s without a request`, there, all.length);
  checks.equal('of 100 without a stream have expired', (await statuses(callers, others)).get(404) ?? 0, 100);
}

/** How many sessions answer with which status. */
async function statuses(callers, sessions) {
  const found = new Map();
  await each(sessions.length, width, async (n) => {
    const status = await callers.call(sessions[n], 'ping');
    found.set(status, (found.get(status) ?? 0) + 1);
  });
  return found;
}

async function theirs(peer, sessions, checks) {
  await withServer(peer, undefined, async (server, callers, before) => {
    const count = connectionsFor(sessions, await server.ask('limits'), () => undefined);
    await each(count, width, async () => callers.get(await callers.session(), () => undefined));
    const after = await server.ask('settled');
    const idle = round(await bare(peer, count));
    const open = `${round(heapKb(after, before, count))} with a stream, RSS ${round(rssKb(after, before, count))} KB`;
    checks.say(`beside it ${peer}: ${idle} KB heap each idle, ${open}`);
  });
}

export async function idle({ sessions, peer, checks }) {
  await ours(sessions, checks);
  if (peer !== undefined) await theirs(peer, sessions, checks);
}
