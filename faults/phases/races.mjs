/** Many who want the one stream of a session at once, and ends of sessions in the middle of it. */
import { Raw } from '../lib/raw.mjs';
import { wholeTextOf } from '../lib/requests.mjs';

export async function races({ port, attackers, random, checks, scale }) {
  const times = 30 * scale;
  let single = 0;
  let ended = 0;
  const odd = new Set();
  for (let n = 0; n < times; n += 1) {
    const attacker = attackers[n % attackers.length];
    const gets = await race(port, attacker, (session) =>
      Array.from({ length: 8 }, () => attacker.requests.get(session)),
    );
    const statuses = gets.statuses.sort((a, b) => a - b);
    if (statuses.join() === [200, ...Array.from({ length: 7 }, () => 409)].join()) single += 1;
    else odd.add(`GETs: ${statuses.join()}`);
    gets.done();

    const id = random.below(1_000_000);
    const mixed = await race(port, attacker, (session) => {
      const { requests } = attacker;
      const all = [requests.get(session), requests.end(session), requests.get(session)];
      all.push(requests.legacyCall(session, 'whoami', {}, id), requests.end(session));
      return all.sort(() => random.below(3) - 1);
    });
    const { status } = await attacker.send(attacker.requests.legacy(mixed.session, 'ping', {}, 1));
    if (status === 404 && mixed.statuses.every((each) => [200, 404, 409].includes(each))) ended += 1;
    else odd.add(`with the end: ${mixed.statuses.join()}, then ${status}`);
    mixed.done();
  }
  checks.equal(`of ${times} races of eight GETs have one winner and seven 409`, single, times);
  checks.equal(`of ${times} races with the end of the session end it`, ended, times);
  for (const line of odd) checks.say(line);
}

/** Sends requests at the same moment, each on a connection of its own. */
async function race(port, attacker, requestsFor) {
  const session = await attacker.session();
  const asked = requestsFor(session);
  const raws = asked.map(() => new Raw(port, attacker.caller, 'race'));
  await Promise.all(raws.map((raw) => raw.connected()));
  for (const [n, raw] of raws.entries()) raw.send(wholeTextOf(asked[n]));
  await Promise.all(raws.map((raw) => raw.until(/^HTTP\/1\.1 \d{3}/)));
  return { session, statuses: raws.map(({ status }) => status ?? 0), done: () => raws.forEach((raw) => raw.reset()) };
}
