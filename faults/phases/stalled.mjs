/** Callers who open streams and never read, while there is much to tell them. */
import { keptMb } from '../../load/lib/checks.mjs';
import { Raw } from '../lib/raw.mjs';
import { wholeTextOf } from '../lib/requests.mjs';

/** What the server may keep for one of them, in MiB: its queue, the buffers of its socket, events to come back for. */
const eachMb = 3;

export async function stalled({ port, server, attackers, checks, scale }) {
  const deaf = attackers.slice(0, 3);
  const before = await server.ask('settled');
  const open = [];
  const knock = (attacker, asked) => {
    const raw = new Raw(port, attacker.caller, 'stalled', { deaf: true });
    raw.send(wholeTextOf(asked));
    open.push(raw);
  };
  for (const attacker of deaf) {
    const { requests, caller } = attacker;
    const session = await attacker.session();
    await attacker.send(requests.legacy(session, 'resources/subscribe', { uri: caller.uri }));
    knock(attacker, requests.get(session));
    knock(attacker, requests.listen('deaf'));
    knock(attacker, requests.legacyCall(session, 'steps', { n: 200_000 }, 'deaf-1'));
    knock(attacker, requests.modernCall('steps', { n: 200_000 }, 'deaf-2'));
  }
  const names = deaf.map(({ caller }) => caller.name);
  // Large ones: what the network itself holds for them has to be full before the server notices.
  for (let from = 0; from < 20_000 * scale; from += 100)
    await server.ask('change', { names, from, count: 100, padding: 1_000 });
  const after = await server.ask('settled');
  checks.atMost(`kept for ${open.length} who never read, MiB`, keptMb(after) - keptMb(before), eachMb * open.length);
  // They stay. Their places have to be free all the same, see what is open afterwards.
  return () => open.forEach((raw) => raw.reset());
}
