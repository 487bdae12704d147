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

/** Calls, is cut off after some steps, and resumes where it was, until the answer has come. */
async function cutCall(port, attacker, random) {
  const steps = 30;
  const id = random.below(1_000_000_000);
  const { requests, caller } = attacker;
  const session = await attacker.session();
  let asked = requests.legacyCall(session, 'steps', { n: steps }, id);
  let seen = '';
  let last;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const raw = new Raw(port, caller, 'cut call');
    raw.send(wholeTextOf(asked));
    const cut = 1 + random.below(4);
    const enough = (text) => text.split('\nid: ').length > cut || text.includes(`"id":${id}`);
    await raw.until((text) => enough(text) || /^HTTP\/1\.1 [45]/.test(text));
    raw.reset();
    if (raw.status !== undefined && raw.status !== 200) {
      if (raw.status !== 409) return `resumed with HTTP ${raw.status} ${raw.text.slice(-200)}`;
      continue;
    }
    // Only whole events count: what is cut in the middle comes again.
    const whole = raw.text.slice(0, raw.text.lastIndexOf('\n\n') + 2);
    seen += whole;
    if (seen.includes(`"id":${id}`)) break;
    last = [...whole.matchAll(/^id: (.+)$/gm)].at(-1)?.[1].trim() ?? last;
    if (last !== undefined) asked = requests.get(session, last);
  }
  await attacker.send(requests.end(session));
  const told = [...seen.matchAll(/"progress":(\d+)/g)].map(([, step]) => Number(step));
  const due = Array.from({ length: steps }, (_, n) => n + 1);
  const answers = seen.split(`"id":${id}`).length - 1;
  return answers === 1 && told.join() === due.join() ? 'whole' : `${answers} answers, steps ${told.join()}`;
}
