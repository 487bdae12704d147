/** What `console` writes to stdout goes to stderr, as long as stdout is the wire. */
import { Console } from 'node:console';

/** What writes to stdout, and what belongs to it: the indentation of groups, counts and timers. */
const names = [
  ...(['log', 'info', 'debug', 'dir', 'dirxml', 'table', 'group', 'groupCollapsed', 'groupEnd'] as const),
  ...(['count', 'countReset', 'time', 'timeLog', 'timeEnd'] as const),
];

/** How many ask for it at the moment, and how to undo it. */
let holders = 0;
let undo: () => void = () => undefined;

/**
 * Sends what the global console writes to stdout to stderr, also by methods that were taken off it before.
 *
 * @returns puts it back, once nobody else wants it; a second call does nothing
 */
export function consoleToStderr(): () => void {
  if (holders++ === 0) undo = redirect();
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    if (--holders === 0) undo();
  };
}

let warned = false;

/** Stderr, which says at first why it is it that is written to. */
function warningStderr(first: () => void): NodeJS.WriteStream {
  const write = (text: string, callback?: (error?: Error | null) => void): boolean => {
    if (!warned) {
      warned = true;
      process.stderr.write(
        "hawser: stdout belongs to the protocol: what the console writes there goes to stderr (console: 'leave' lets it)\n",
      );
    }
    first();
    return process.stderr.write(text, callback);
  };
  return new Proxy(process.stderr, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function redirect(): () => void {
  // The stream of Node's own console, which its types do not name: whoever has wrapped or kept a method of it is
  // redirected along with it.
  const own = console as Console & { _stdout?: unknown };
  const stream = own._stdout;
  if (stream !== undefined) {
    const warning = warningStderr(() => {
      if (own._stdout === warning) own._stdout = process.stderr;
    });
    own._stdout = warning;
    return () => {
      if (own._stdout === warning || own._stdout === process.stderr) own._stdout = stream;
    };
  }
  const toStderr = new Console(
    warningStderr(() => undefined),
    process.stderr,
  );
  const methods: Record<(typeof names)[number], unknown> = console;
  const before = names.map((name) => [name, methods[name], (methods[name] = toStderr[name].bind(toStderr))] as const);
  return () => {
    for (const [name, method, ours] of before) if (methods[name] === ours) methods[name] = method;
  };
}
