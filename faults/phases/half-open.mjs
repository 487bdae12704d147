/** Connections that are closed on one side, and those of which nothing more ever comes. */
import { Raw } from '../lib/raw.mjs';
import { textOf, wholeTextOf } from '../lib/requests.mjs';

export async function halfOpen({ port, attackers, random, checks, scale, limits }) {
  await halfClosed({ port, attackers, random, checks, scale });
  await silent({ port, attackers, random, checks, scale, limits });
}

async function halfClosed({ port, attackers, random, checks, scale }) {
  const kinds = [
    ({ requests }, session) => requests.legacyCall(session, 'wait', { ms: 50 }, random.below(1_000_000)),
    ({ requests }) => requests.modernCall('wait', { ms: 50 }, random.below(1_000_000)),
    ({ requests }, session) => requests.get(session),
    ({ requests }) => requests.listen(random.below(1_000_000)),
  ];
  const all = await Promise.all(
    Array.from({ length: 20 * scale }, async (_, n) => {
      const attacker = attackers[n % attackers.length];
      const raw = new Raw(port, attacker.caller, 'half-closed');
      const session = await attacker.session();
      await raw.connected();
      raw.send(wholeTextOf(kinds[n % kinds.length](attacker, session)));
      raw.finish();
      const closed = await raw.closed();
      raw.reset();
      return closed;
    }),
  );
  checks.equal(`of ${all.length} half-closed connections are closed`, all.filter(Boolean).length, all.length);
}

async function silent({ port, attackers, random, checks, scale, limits }) {
  const begin = performance.now();
  const all = await Promise.all(
    Array.from({ length: 30 * scale }, async (_, n) => {
      const attacker = attackers[n % attackers.length];
      const raw = new Raw(port, attacker.caller, 'silent');
      await raw.connected();
      const { head, body } = textOf(attacker.requests.modernCall('whoami', {}, n));
      const parts = ['', head.slice(0, random.below(head.length)), head + body.slice(0, random.below(body.length))];
      raw.send(parts[n % parts.length]);
      // Node looks at its connections four times in this period.
      const closed = await raw.closed(limits.requestTimeoutMs * 2 + 2_000);
      raw.reset();
      return closed;
    }),
  );
  const took = ((performance.now() - begin) / 1000).toFixed(1);
  const closed = all.filter(Boolean).length;
  checks.equal(
    `of ${all.length} connections that fell silent in a request are closed, within ${took} s`,
    closed,
    all.length,
  );
}
