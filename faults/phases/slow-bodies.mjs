/** Bodies that come a byte at a time. */
import { Raw } from '../lib/raw.mjs';
import { textOf } from '../lib/requests.mjs';

export async function slowBodies({ port, attackers, checks, scale, limits }) {
  const all = await Promise.all(
    Array.from({ length: 20 * scale }, async (_, n) => {
      const attacker = attackers[n % attackers.length];
      const raw = new Raw(port, attacker.caller, 'slow body');
      await raw.connected();
      const asked = n % 2 === 0 ? attacker.requests.initialize() : attacker.requests.modernCall('whoami', {}, n);
      const { head, body } = textOf(asked);
      const chunked = n % 4 > 1;
      raw.send(chunked ? head.replace(/content-length: \d+/, 'transfer-encoding: chunked') : head);
      let at = 0;
      const timer = setInterval(() => {
        const byte = body[at++] ?? ' ';
        raw.send(chunked ? `1\r\n${byte}\r\n` : byte);
      }, 50);
      const closed = await raw.closed(limits.requestTimeoutMs * 2 + 2_000);
      clearInterval(timer);
      raw.reset();
      return closed && (raw.status === 408 || raw.status === undefined);
    }),
  );
  checks.equal(`of ${all.length} slow bodies are not waited for`, all.filter(Boolean).length, all.length);
}
