/** Session ids that nobody has, very many of them. */
import { each } from '../../load/lib/callers.mjs';
import { keptMb } from '../../load/lib/checks.mjs';
import { Raw } from '../lib/raw.mjs';
import { wholeTextOf } from '../lib/requests.mjs';

const batch = 50;
const odd = ['0', '__proto__', 'constructor', 'a'.repeat(4_000), '../..', '%00', '"', '{}', 'null'];

export async function bogus({ port, server, attackers, random, checks, scale }) {
  const count = 100_000 * scale;
  const before = await server.ask('settled');
  let right = 0;
  const wrong = new Set();
  await each(20, 20, async (n) => {
    const { requests, caller } = attackers[n % attackers.length];
    const raw = new Raw(port, caller, 'bogus');
    for (let sent = 0; sent < count / 20; sent += batch) {
      raw.text = '';
      const texts = Array.from({ length: batch }, () => {
        const session = { id: random.below(50) === 0 ? random.pick(odd) : random.hex(32), version: '2025-11-25' };
        const asked = [
          requests.legacy(session, 'tools/list', {}, 1),
          requests.legacy(session, 'tools/list', {}, 1),
          requests.get(session),
          requests.end(session),
        ];
        return wholeTextOf(random.pick(asked));
      });
      raw.send(texts.join(''));
      await raw.until((text) => statusesOf(text).length >= batch, 20_000);
      for (const status of statusesOf(raw.text)) {
        if (status === '404') right += 1;
        else wrong.add(status);
      }
    }
    raw.reset();
  });
  checks.equal(`of ${count} bogus session ids get 404`, right, count);
  if (wrong.size > 0) checks.say(`others got ${[...wrong].join(', ')}`);
  checks.atMost('kept because of them, MiB', keptMb(await server.ask('settled')) - keptMb(before), 4);
}

const statusesOf = (text) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
