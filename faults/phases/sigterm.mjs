/** SIGTERM in the middle of everything: what runs is answered, what listens hears of the end, and the process goes. */
import { Raw } from '../lib/raw.mjs';
import { textOf, wholeTextOf } from '../lib/requests.mjs';

export async function sigterm({ port, server, honest, attackers, checks, scale }) {
  const [first, second] = attackers;
  const session = await first.session();
  const { started } = (await server.ask('state')).counts;
  const count = 20 * scale;
  const running = Array.from({ length: count }, (_, n) => {
    const { requests, caller } = first;
    const asked =
      n % 2 === 0
        ? requests.legacyCall(session, 'wait', { ms: 1_000 }, n)
        : requests.modernCall('wait', { ms: 1_000 }, n);
    const raw = new Raw(port, caller, 'SIGTERM');
    raw.send(wholeTextOf(asked));
    return raw;
  });
  while ((await server.ask('state')).counts.started < started + count) await new Promise(setImmediate);

  const { head, body } = textOf(second.requests.initialize());
  const slow = new Raw(port, second.caller, 'slow at SIGTERM');
  slow.send(head + body.slice(0, 10));
  const deaf = new Raw(port, second.caller, 'deaf at SIGTERM', { deaf: true });
  deaf.send(wholeTextOf(second.requests.modernCall('steps', { n: 1_000_000 }, 1)));
  const listening = new Raw(port, second.caller, 'listening at SIGTERM');
  listening.send(wholeTextOf(second.requests.listen('final')));
  await listening.until(/acknowledged/);

  for (const each of honest) each.resume();
  const last = server.ask('farewell');
  const begin = performance.now();
  process.kill(server.pid, 'SIGTERM');
  const answered = await Promise.all(running.map((raw) => raw.until(/"text":"secret-/, 6_000)));
  const told = await listening.until(/"id":"final"/, 6_000);
  checks.equal(`of ${count} running calls are answered`, answered.filter(Boolean).length, count);
  checks.that('a subscription gets its final result', told !== undefined);
  const ends = (await Promise.all(honest.map((each) => each.over))).flat();
  checks.equal(
    `of ${ends.length} streams end, none is broken off`,
    ends.filter((end) => end === 'ended').length,
    ends.length,
  );

  const { open, counts } = await last;
  checks.that(
    `open when it has closed: ${JSON.stringify(open)}`,
    Object.values(open).every((each) => each === 0),
  );
  checks.equal('handlers still running', counts.started - counts.ended, 0);
  const { code, signal, log } = await server.ended;
  const took = performance.now() - begin;
  checks.equal('exit code', code ?? signal, 0);
  checks.atMost('seconds from SIGTERM to the end', took / 1000, 6);
  checks.that(`nothing on stdout and stderr${log === '' ? '' : `: ${log.slice(0, 500)}`}`, log === '');
  for (const raw of [...running, slow, deaf, listening]) raw.reset();
  for (const each of honest) {
    await each.pause();
    // After SIGTERM refusals are no problem of theirs.
    each.close();
  }
}
