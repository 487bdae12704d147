/** How many connections this machine lets two processes have with each other. */
import { readFileSync } from 'node:fs';

/** Descriptors that a process needs for itself. */
const spare = 100;

/** Free local ports: a connection to one address and port takes one of them. Infinite where nobody says. */
function localPorts() {
  try {
    const [from, to] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
    return to - from + 1;
  } catch {
    return Infinity;
  }
}

const number = (limit) => (typeof limit === 'number' ? limit : Infinity);

/**
 * How many of `wanted` connections can be open at once, and says so. Both ends count: each has a descriptor for every
 * one. Node raises its soft limit to the hard one when it starts, so this is about what `ulimit -Hn` says.
 */
export function connectionsFor(wanted, server, say) {
  const own = process.report.getReport().userLimits.open_files;
  const files = Math.min(number(own.soft), number(server.soft));
  const ports = localPorts();
  const can = Math.max(1, Math.min(wanted, files - spare, ports - spare));
  say(
    `ulimit -n: ${number(own.soft)} here, ${number(server.soft)} in the server; ${ports} local ports: ` +
      (can === wanted ? `${wanted} connections can be open` : `only ${can} of ${wanted} connections can be open`),
  );
  return can;
}
