/** Callers who come back again and again: for their stream, and for the answer of a call that was cut off. */
import { settles } from '../../load/lib/until.mjs';
import { Raw } from '../lib/raw.mjs';
import { wholeTextOf } from '../lib/requests.mjs';

export async function storm({ port, attackers, random, checks, scale }) {
  const rounds = 25 * scale;
  const results = await Promise.all(attackers.map((attacker) => reconnects(port, attacker, rounds, random)));
  const streams = results.filter((status) => status === 200).length;
  checks.equal(
    `of ${attackers.length} sessions have their stream after ${rounds} reconnects`,
    streams,
    attackers.length,
  );
  const calls = await Promise.all(
    attackers.flatMap((attacker) => Array.from({ length: 3 * scale }, () => cutCall(port, attacker, random))),
  );
  const whole = calls.filter((call) => call === 'whole').length;
  checks.equal(`of ${calls.length} calls that were cut off are heard to their end, nothing twice`, whole, calls.length);
  for (const call of new Set(calls.filter((call) => call !== 'whole'))) checks.say(call);
}

async function reconnects(port, attacker, rounds, random) {
  const session = await attacker.session();
  const knock = async () => {
    const raw = new Raw(port, attacker.caller, 'storm');
    raw.send(wholeTextOf(attacker.requests.get(session)));
    await raw.until(/^HTTP\/1\.1 \d{3}/);
    return raw;
  };
  for (let round = 0; round < rounds; round += 1) {
    const raw = await knock();
    if (random.below(2) === 0) raw.reset();
    else {
      raw.finish();
      if (random.below(2) === 0) await raw.closed();
      raw.reset();
    }
  }
  // The server has to hear of the last RST first.
  const end = await settles(
    async () => {
      const raw = await knock();
      if (raw.status !== 200) raw.reset();
      return raw;
    },
    (raw) => raw.status === 200,
  );
  const { status } = end;
  end.reset();
  return status;
}

/**
 * Calls, is cut off a few times while the call runs, and resumes each time where it was. Then the call may end, which
 * is heard in peace: what has been passed on to the network counts as delivered, whoever resets the connection then.
 */
async function cutCall(port, attacker, random) {
  const steps = 30;
  const id = random.below(1_000_000_000);
  const { requests, caller } = attacker;
  const session = await attacker.session();
  const key = random.hex(16);
  let asked = requests.legacyCall(session, 'gated', { n: steps, key }, id);
  let seen = '';
  for (let left = 1 + random.below(5); left >= 0; left -= 1) {
    const raw = new Raw(port, caller, 'cut call');
    raw.send(wholeTextOf(asked));
    if (left === 0) await attacker.send(requests.modernCall('open', { key }, 1));
    const wanted = 1 + random.below(4);
    // The first one has to hear an id at least; later ones may have heard all there is.
    const enough = (text) => (left === 0 ? text.includes(`"id":${id}`) : eventsOf(text).length >= wanted);
    await raw.until(/^HTTP/);
    await raw.until(enough, left === 0 || seen === '' ? 5_000 : 100);
    raw.reset();
    if (raw.status !== 200) {
      await attacker.send(requests.modernCall('open', { key }, 1));
      return `HTTP ${raw.status} ${raw.text.slice(-200)}`;
    }
    // Only whole events count: what is cut in the middle comes again.
    const events = eventsOf(raw.text);
    seen += events.join('');
    const last = events.at(-1);
    if (last !== undefined) asked = requests.get(session, /^id: (.+)$/m.exec(last)?.[1]);
  }
  await attacker.send(requests.end(session));
  const told = [...seen.matchAll(/"progress":(\d+)/g)].map(([, step]) => Number(step));
  const due = Array.from({ length: steps }, (_, n) => n + 1);
  const answers = seen.split(`"id":${id}`).length - 1;
  return answers === 1 && told.join() === due.join() ? 'whole' : `${answers} answers, steps ${told.join()}`;
}

/** The whole events in what has come, heads and chunk sizes aside. */
const eventsOf = (text) => text.match(/id: [^\r\n]+\n(?:[a-z]+:.*\n)+\n/g) ?? [];
