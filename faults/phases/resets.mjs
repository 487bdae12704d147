/** RST at every moment in the life of a connection. */
import { each } from '../../load/lib/callers.mjs';
import { Raw } from '../lib/raw.mjs';
import { textOf, wholeTextOf } from '../lib/requests.mjs';

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Something that a caller may send, of either generation. */
function anything({ requests, session, random }) {
  const id = random.below(1_000_000);
  return random.pick([
    () => requests.initialize(),
    () => requests.legacyCall(session, 'whoami', {}, id),
    () => requests.legacyCall(session, 'steps', { n: 5 }, id),
    () => requests.modernCall('whoami', {}, id),
    () => requests.modernCall('steps', { n: 5 }, id),
    () => requests.listen(id),
  ])();
}

/** A call in either generation. */
function call({ requests, session, random }, name, args) {
  const id = random.below(1_000_000_000);
  return random.below(2) === 0 ? requests.legacyCall(session, name, args, id) : requests.modernCall(name, args, id);
}

/** What happens before the RST. */
const stages = {
  'before a request': () => undefined,
  'in a head': (raw, it) => {
    const { head } = textOf(anything(it));
    raw.send(head.slice(0, it.random.below(head.length)));
  },
  'in a body': (raw, it) => {
    const { head, body } = textOf(anything(it));
    raw.send(head + body.slice(0, it.random.below(body.length)));
  },
  'right after a request': (raw, it) => raw.send(wholeTextOf(anything(it))),
  'while a call runs': async (raw, it) => {
    raw.send(wholeTextOf(call(it, 'wait', { ms: 300 })));
    await delay(it.random.below(50));
  },
  'in an answer': async (raw, it) => {
    raw.send(wholeTextOf(call(it, 'steps', { n: 200 })));
    await raw.until(/notifications\/progress/);
  },
  'as an answer comes': async (raw, it) => {
    raw.send(wholeTextOf(call(it, 'whoami', {})));
    await raw.until(/^HTTP/);
  },
  'between requests': async (raw, it) => {
    raw.send(wholeTextOf(call(it, 'whoami', {})));
    await raw.until(/secret-/);
  },
  'on a GET stream': async (raw, it) => {
    raw.send(wholeTextOf(it.requests.get(it.session)));
    await raw.until(/^HTTP/);
  },
  'on a subscription': async (raw, it) => {
    raw.send(wholeTextOf(it.requests.listen(it.random.below(1_000_000))));
    await raw.until(/acknowledged/);
  },
};

export async function resets({ port, attackers, random, checks, scale }) {
  const times = 30 * scale;
  const names = Object.keys(stages);
  await each(names.length * times, 20, async (n) => {
    const attacker = attackers[n % attackers.length];
    const stage = names[Math.floor(n / times)];
    const session = await attacker.session();
    const raw = new Raw(port, attacker.caller, `RST ${stage}`);
    await raw.connected();
    await stages[stage](raw, { requests: attacker.requests, session, random });
    raw.reset();
  });
  // The end of a session races its own connection.
  await each(times, 10, async (n) => {
    const attacker = attackers[n % attackers.length];
    const session = await attacker.session();
    const raw = new Raw(port, attacker.caller, 'RST while ending');
    await raw.connected();
    raw.send(wholeTextOf(attacker.requests.end(session)));
    await delay(random.below(3));
    raw.reset();
  });
  checks.say(`${(names.length + 1) * times} connections reset: ${names.join(', ')}, while ending`);
}
