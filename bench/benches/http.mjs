// A and B: requests per second of a server over Streamable HTTP.
import { recordArgs } from '../lib/app.mjs';
import { host } from '../lib/procs.mjs';
import { f, median, medians, ratio, spread, table } from '../lib/stats.mjs';
import { legacyRequest, modernRequest, openSession, parseBody, post } from '../lib/wire.mjs';

const echo = ['tools/call', { name: 'echo', arguments: { text: 'hello' } }];
const record = ['tools/call', { name: 'record', arguments: recordArgs }];
const list = ['tools/list', {}];
const okEcho = (r) => r.content[0].text === 'hello';

export const groups = {
  A: [
    {
      id: 'A1',
      title: 'tools/call echo, modern 2026-07-28, stateless',
      era: 'modern',
      app: 'echo',
      call: echo,
      ok: okEcho,
      connections: [1, 16, 64],
    },
    {
      id: 'A2',
      title: 'tools/call echo, legacy session, JSON response',
      era: 'legacy',
      app: 'echo',
      call: echo,
      ok: okEcho,
      connections: [1, 16, 64],
      only: 'application/json',
    },
    {
      id: 'A3',
      title: 'tools/call echo, legacy session, SSE response',
      era: 'legacy',
      sse: true,
      app: 'echo',
      call: echo,
      ok: okEcho,
      connections: [1, 16, 64],
    },
  ],
  B: [
    {
      id: 'B1',
      title: 'tools/list of 100 tools, modern',
      era: 'modern',
      app: 'list100',
      call: list,
      ok: (r) => r.tools.length === 100,
      connections: [16],
    },
    {
      id: 'B2',
      title: 'tools/call echo on the 100-tool server, modern',
      era: 'modern',
      app: 'list100',
      call: echo,
      ok: okEcho,
      connections: [16],
    },
    {
      id: 'B3',
      title: 'tools/call record (20 fields in and out, both validated), modern',
      era: 'modern',
      app: 'record',
      call: record,
      ok: (r) => r.structuredContent.reference === recordArgs.reference,
      connections: [16],
    },
    {
      id: 'B4',
      title: 'tools/list of 100 tools, legacy session',
      era: 'legacy',
      app: 'list100',
      call: list,
      ok: (r) => r.tools.length === 100,
      connections: [16],
    },
    {
      id: 'B5',
      title: 'tools/call echo on the 100-tool server, legacy session',
      era: 'legacy',
      app: 'list100',
      call: echo,
      ok: okEcho,
      connections: [16],
    },
    {
      id: 'B6',
      title: 'tools/call record, legacy session',
      era: 'legacy',
      app: 'record',
      call: record,
      ok: (r) => r.structuredContent.reference === recordArgs.reference,
      connections: [16],
    },
  ],
};

async function prepare(s, url, n) {
  return Promise.all(
    Array.from({ length: n }, async (_, i) =>
      s.era === 'modern'
        ? modernRequest(...s.call, 1000 + i)
        : legacyRequest(await openSession(url), ...s.call, 1000 + i),
    ),
  );
}

/** One real call, its result checked: no contender is timed on wrong answers. */
async function verify(s, url, request) {
  const { res, text } = await post(url, request);
  const m = res.ok ? parseBody(text) : null;
  if (!m?.result || !s.ok(m.result)) throw new Error(`wrong answer: HTTP ${res.status} ${text.slice(0, 300)}`);
  return { type: res.headers.get('content-type').split(';')[0], bytes: text.length };
}

async function scenario(s, { contenders, rounds, ms, log }) {
  const out = { ...s, ok: undefined, call: undefined, cells: {} };
  const up = [];
  for (const c of contenders.filter((c) => c.http?.[s.era])) {
    try {
      const h = await host('http-server.mjs', { id: c.id, era: s.era, sse: !!s.sse, app: s.app });
      const [first] = await prepare(s, h.url, 1);
      const shape = await verify(s, h.url, first);
      if (s.only && shape.type !== s.only) {
        await h.stop();
        continue;
      }
      up.push({ c, h, shape });
    } catch (e) {
      log(`  ${c.id}: ${e.message.slice(0, 200)}`);
      out.cells[c.id] = { failed: e.message.slice(0, 200) };
    }
  }
  const gen = await host('load.mjs', {}, { core: 1 });
  try {
    // Compile the hot paths of the generator and of every server at full load
    // first: the one-connection cells come first and would pay for it.
    const most = Math.max(...s.connections);
    for (const u of up)
      await gen.ask('fire', { url: u.h.url, requests: await prepare(s, u.h.url, most), durationMs: 2500 });
    for (const n of s.connections) {
      for (const u of up) {
        u.requests = await prepare(s, u.h.url, n);
        await gen.ask('fire', { url: u.h.url, requests: u.requests, durationMs: Math.min(500, ms) });
      }
      for (let r = 0; r < rounds; r++) {
        for (const u of r % 2 ? [...up].reverse() : up) {
          const before = await u.h.ask('usage');
          const m = await gen.ask('fire', { url: u.h.url, requests: u.requests, durationMs: ms });
          const after = await u.h.ask('usage');
          if (m.bad || m.errors) log(`  ${u.c.id} ${s.id}@${n}: ${m.bad} bad, ${m.errors} errors`);
          const cell = (out.cells[u.c.id] ??= { type: u.shape.type, bytes: u.shape.bytes, at: {} });
          (cell.at[n] ??= [])[r] = {
            rps: m.rps,
            p50: m.p50,
            p99: m.p99,
            cpuUs: (after.cpuUs - before.cpuUs) / m.total,
            bad: m.bad + m.errors,
            count: m.count,
            rss: after.rss,
          };
        }
      }
      for (const u of up) await verify(s, u.h.url, u.requests[0]);
    }
  } finally {
    await Promise.all([gen.stop(), ...up.map((u) => u.h.stop())]);
  }
  return out;
}

export async function run(group, ctx) {
  const results = [];
  for (const s of groups[group[0]].filter((s) => s.id.startsWith(group))) {
    ctx.log(`${s.id} ${s.title}`);
    results.push(await scenario(s, ctx));
  }
  return results;
}

export function render(results, labels) {
  return results
    .map((s) => {
      const rows = [];
      const floor = Object.keys(s.cells).find((id) => labels[id].floor);
      for (const n of s.connections) {
        for (const [id, cell] of Object.entries(s.cells)) {
          const rounds = cell.at?.[n];
          if (!rounds) {
            if (n === s.connections[0]) rows.push([labels[id].label, n, 'failed', '', '', '', '', '', '', '']);
            continue;
          }
          const m = medians(rounds);
          const fr = s.cells[floor]?.at[n];
          rows.push([
            labels[id].label + (cell.type === 'text/event-stream' && !s.sse ? ' (SSE)' : ''),
            n,
            f(m.rps),
            f(ratio(rounds, fr, 'rps'), 2),
            f(m.p50, 2),
            f(m.p99, 2),
            f(m.cpuUs),
            f(ratio(rounds, fr, 'cpuUs'), 1),
            `${f(median(rounds.map((r) => (r.rps * r.cpuUs) / 1e4)))}%`,
            f(m.rss / 1048576),
            `±${f(spread(rounds, 'rps') * 50)}%${m.bad ? ` (${m.bad} bad)` : ''}`,
          ]);
        }
      }
      return `### ${s.id}. ${s.title}\n\n${table(['contender', 'conns', 'req/s', '× floor', 'p50 ms', 'p99 ms', 'CPU µs/req', 'CPU × floor', 'server busy', 'RSS MB', 'noise'], rows)}`;
    })
    .join('\n\n');
}
