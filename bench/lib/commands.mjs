// The other end of procs.mjs: what runs inside a host process.

/** Answer the parent's commands inside a host process. */
export function serveCommands(ready, commands) {
  process.on('message', async ({ seq, cmd, value }) => {
    if (cmd === 'exit') process.exit(0);
    try {
      process.send({ seq, value: await commands[cmd](value) });
    } catch (e) {
      process.send({ seq, error: String(e?.stack ?? e) });
    }
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ ready });
}

export async function gc() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await new Promise((r) => setTimeout(r, 25));
  }
}

export const usage = () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { cpuUs: user + system, rss, heapUsed, external, arrayBuffers };
};
