/**
 * The main of a client process: connects, runs the checks on one connection, closes, and must then end by itself. A
 * failed check gets the next one a fresh connection. Prints JSON lines: `{ begin }`, `{ cell, ok, message }`, `{ frame }`.
 *
 * A client under test is a function `connect({ target, protocol, onFrame })` that resolves with a session:
 *   revision             the protocol revision agreed on
 *   listTools()          → Tool[]
 *   callTool(name, args, { signal, onProgress }) → { content, structuredContent, isError }
 *   listResources(), listResourceTemplates(), readResource(uri), listPrompts(), getPrompt(name, args)
 *   complete(ref, argument) → { values }
 *   subscribe(uri, updated) → a function that ends it, once the server has agreed
 *   rpcCode(error)       the JSON-RPC error code in an error, if the server sent one
 *   isAbort(error, why)  whether it says that the caller aborted
 *   close()
 * `target` is `{ url }` or `{ command: [file, …arguments] }`.
 */
import { readArguments } from './argv.mjs';
import { joinChannel } from './channel.mjs';
import { checks } from './checks.mjs';
import { offers } from './features.mjs';
import { dialects } from './tools.mjs';

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Rejects when `promise` takes longer than a cell may. */
function within(limitMs, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not done within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const describe = (error) => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}${cause}`;
};

export async function runClient(connect) {
  const { row, port, target, protocol, revision, dialect: dialectName, cells, limitMs, rush } = readArguments();
  const dialect = dialects[dialectName];
  const offer = offers[dialectName];
  const channel = await joinChannel({ port, row, role: 'client', hold: true });
  const onFrame = (frame) => print({ frame });
  let session;

  const cell = async (name, run) => {
    print({ begin: name });
    await channel.sync();
    let outcome;
    try {
      const note = await within(limitMs, run(), name);
      outcome = { cell: name, ok: true, ...(typeof note === 'string' && { note }) };
    } catch (error) {
      outcome = { cell: name, ok: false, message: describe(error) };
    }
    await channel.sync();
    print(outcome);
    return outcome.ok;
  };
  const opened = async () => (session = await connect({ target, protocol, onFrame }));

  const connected = await cell('connect', async () => {
    const { revision: agreed } = await opened();
    if (agreed !== revision) throw new Error(`the revision is ${agreed}, not ${revision}`);
    return agreed;
  });
  if (session === undefined) {
    for (const name of [...Object.keys(checks), 'close']) print({ cell: name, ok: false, message: 'not connected' });
    process.exit(1);
  }
  let good = connected;
  for (const [name, check] of Object.entries(checks)) {
    if (!cells.includes(name)) continue;
    if (!good) {
      print({ begin: 'fresh' });
      void Promise.resolve(session.close()).catch(() => {});
      await within(limitMs, opened(), 'a fresh connection').catch(() => {});
    }
    good = await cell(name, () => check({ session, dialect, offer, channel, limitMs, rush }));
  }
  await cell('close', async () => {
    await session.close();
    if (target.command === undefined) return;
    // Every server process this row has started, a probing one included, has to be gone before this process ends.
    const gone = (_, past) => {
      const count = (event) => past.filter((note) => note.event === event).length;
      return count('up') > 0 && count('up') === count('gone');
    };
    await channel.next(gone, { limitMs: Math.round(limitMs * 0.9), what: 'a server process is left: it did not end' });
  });
  channel.close();
  // Says what is in the way, if this process does not end by itself. The runner waits for the end.
  setTimeout(() => print({ lingering: process.getActiveResourcesInfo() }), 2_000).unref();
}
