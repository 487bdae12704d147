// F: progress streams and subscriptions/listen fan-out.
import { Agent, request } from 'node:http';
import { host } from '../lib/procs.mjs';
import { f, medians, median, ratio, table } from '../lib/stats.mjs';
import { legacyRequest, modernRequest, openSession } from '../lib/wire.mjs';

const N = 10_000;
const STREAMS = 8; // one after the other in each measurement: a single one takes the floor 30 ms

/** Post and count SSE data frames with as little work as possible. */
function stream(url, { headers, body }, { onData, agent, limitMs = 60_000 }) {
  const u = new URL(url);
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: u.hostname,
        port: u.port,
        path: u.pathname,
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (res) => {
        if (res.statusCode !== 200) reject(new Error(`HTTP ${res.statusCode}`));
        let frames = 0,
          tail = '';
        res.setEncoding('latin1');
        res.on('data', (c) => {
          const before = frames;
          const text = tail + c;
          for (let i = text.indexOf('data: {'); i !== -1; i = text.indexOf('data: {', i + 7)) frames++;
          tail = text.slice(Math.max(0, text.length - 6));
          onData?.(frames - before, res);
        });
        res.on('end', () => resolve({ frames }));
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.setTimeout(limitMs, () => req.destroy(new Error('timeout')));
    req.end(body);
  });
}

async function progress({ contenders, rounds, log }) {
  const out = {};
  const up = [];
  for (const c of contenders)
    for (const era of Object.keys(c.http ?? {})) {
      const key = `${c.id}|${era}`;
      try {
        const h = await host('http-server.mjs', { id: c.id, era, sse: true, app: 'progress' });
        const session = era === 'legacy' ? await openSession(h.url) : null;
        let id = 100;
        const go = (n) => {
          const params = { name: 'progress', arguments: { n }, _meta: { progressToken: 7 } };
          return stream(
            h.url,
            session ? legacyRequest(session, 'tools/call', params, ++id) : modernRequest('tools/call', params, ++id),
            {},
          );
        };
        const probe = await go(500);
        if (probe.frames !== 501) throw new Error(`${probe.frames} of 501 frames`);
        for (let i = 0; i < 6; i++) await go(N); // warm-up
        up.push({ key, h, go });
      } catch (e) {
        out[key] = { failed: e.message.slice(0, 120) };
        log(`F ${key}: ${e.message.slice(0, 200)}`);
      }
    }
  for (let r = 0; r < rounds; r++)
    for (const u of r % 2 ? [...up].reverse() : up) {
      try {
        const before = await u.h.ask('usage');
        const t0 = performance.now();
        let frames = 0;
        for (let i = 0; i < STREAMS; i++) frames += (await u.go(N)).frames;
        if (frames !== STREAMS * (N + 1)) throw new Error(`${frames} of ${STREAMS * (N + 1)} frames`);
        const ms = performance.now() - t0;
        const after = await u.h.ask('usage');
        (out[u.key] ??= []).push({
          frames,
          perSecond: (frames / ms) * 1000,
          cpuUs: (after.cpuUs - before.cpuUs) / frames,
        });
      } catch (e) {
        log(`F ${u.key}: ${e.message}`);
      }
    }
  await Promise.all(up.map((u) => u.h.stop()));
  return out;
}

async function clientProgress({ contenders, rounds, log }) {
  const out = {};
  const servers = {};
  for (const era of ['modern', 'legacy'])
    servers[era] = await host('http-server.mjs', { id: 'floor', era, app: 'progress' });
  const up = [];
  for (const c of contenders)
    for (const [client, { era }] of Object.entries(c.clients ?? {})) {
      if (['raw fetch', 'raw undici'].includes(client) || client.startsWith('@ai-sdk')) continue; // no progress callback
      try {
        const h = await host('client.mjs', { id: c.id, client, url: servers[era].url }, { core: 1 });
        up.push({ client, h });
        for (let i = 0; i < 6; i++) await h.ask('progress', { n: N, times: 1 }, 90_000); // warm-up
      } catch (e) {
        log(`F client ${client}: ${e.message.slice(0, 300)}`);
        up.pop();
      }
    }
  for (let r = 0; r < rounds; r++)
    for (const u of r % 2 ? [...up].reverse() : up)
      (out[u.client] ??= []).push(await u.h.ask('progress', { n: N, times: STREAMS }, 120_000));
  await Promise.all([...up.map((u) => u.h), ...Object.values(servers)].map((h) => h.stop()));
  return out;
}

async function fanout({ contenders, log }) {
  const LISTENERS = 1000,
    EVENTS = 20;
  const out = {};
  for (const c of contenders.filter((c) => c.http?.modern)) {
    const h = await host('http-server.mjs', { id: c.id, era: 'modern', app: 'echo' });
    const agent = new Agent({ maxSockets: LISTENERS });
    try {
      if (!(await h.ask('can')).publish) throw new Error('no publish in adapter');
      const idle = await h.ask('settled');
      let frames = 0,
        wake = () => {};
      const streams = [];
      const until = (n) =>
        new Promise((res, rej) => {
          const t = setTimeout(() => rej(new Error(`got ${frames} of ${n} frames`)), 20_000);
          wake = () => frames >= n && (clearTimeout(t), res());
          wake();
        });
      for (let i = 0; i < LISTENERS; i++) {
        const s = stream(
          h.url,
          modernRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, i + 1),
          { agent, onData: (n) => ((frames += n), wake()), limitMs: 120_000 },
        );
        s.catch(() => {});
        streams.push(s);
        if (i % 100 === 99) await until(i + 1); // one acknowledgement each
      }
      const opened = await h.ask('settled');
      const times = [];
      let cpu = 0;
      for (let e = 0; e < EVENTS; e++) {
        const target = frames + LISTENERS;
        const b = await h.ask('usage');
        const t0 = performance.now();
        const done = until(target);
        await h.ask('publish');
        await done;
        times.push(performance.now() - t0);
        cpu += (await h.ask('usage')).cpuUs - b.cpuUs;
      }
      out[c.id] = {
        medianMs: median(times),
        perSecond: (LISTENERS / median(times)) * 1000,
        cpuUs: cpu / EVENTS / LISTENERS,
        heapKb: (opened.heapUsed - idle.heapUsed) / 1024 / LISTENERS,
        rssKb: (opened.rss - idle.rss) / 1024 / LISTENERS,
      };
    } catch (e) {
      out[c.id] = { failed: e.message.slice(0, 120) };
      log(`F fan-out ${c.id}: ${e.message.slice(0, 200)}`);
    } finally {
      agent.destroy();
      await h.stop();
    }
  }
  return out;
}

export async function run(id, ctx) {
  const wanted = (row) => id === 'F' || id === row;
  return {
    ...(wanted('F1') && { progress: await progress(ctx) }),
    ...(wanted('F2') && { client: await clientProgress(ctx) }),
    ...(wanted('F3') && { fanout: await fanout(ctx) }),
  };
}

export function render(r, labels) {
  const parts = [];
  const fl = (era) => r.progress[Object.keys(r.progress).find((k) => labels[k.split('|')[0]].floor && k.endsWith(era))];
  if (r.progress)
    parts.push(
      `### F1. Server: one tool emitting ${f(N)} progress notifications over SSE\n\n${table(
        ['contender', 'era', 'messages/s', '× floor', 'server CPU µs/message'],
        Object.entries(r.progress).map(([k, v]) => {
          const [id, era] = k.split('|');
          if (v.failed) return [labels[id].label, era, v.failed, '', ''];
          const m = medians(v);
          return [labels[id].label, era, f(m.perSecond), f(ratio(v, fl(era), 'perSecond'), 2), f(m.cpuUs, 1)];
        }),
      )}`,
    );
  const base = r.client?.['raw node:http'];
  if (r.client)
    parts.push(
      `### F2. Client: receiving ${f(N)} progress notifications from the floor server\n\n${table(
        ['client', 'messages/s', '× raw', 'client CPU µs/message', 'delivered'],
        Object.entries(r.client).map(([k, v]) => [
          k,
          f(medians(v).perSecond),
          f(ratio(v, base, 'perSecond'), 2),
          f(medians(v).cpuUsPerMessage, 1),
          f(medians(v).seen),
        ]),
      )}`,
    );
  if (r.fanout)
    parts.push(
      `### F3. subscriptions/listen: one event to 1,000 open streams\n\n${table(
        [
          'contender',
          'ms until all have it',
          'deliveries/s',
          'server CPU µs/delivery',
          'heap KB/stream',
          'RSS KB/stream',
        ],
        Object.entries(r.fanout).map(([id, v]) =>
          v.failed
            ? [labels[id].label, v.failed, '', '', '', '']
            : [labels[id].label, f(v.medianMs, 1), f(v.perSecond), f(v.cpuUs, 1), f(v.heapKb, 1), f(v.rssKb, 1)],
        ),
      )}`,
    );
  return parts.join('\n\n');
}
