#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' };
import { main } from './main.ts';

/** Signals that ask the command to stop, with the exit codes that shells expect for them. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const stop = new AbortController();
for (const [signal, exitCode] of Object.entries(signals)) {
  process.on(signal, () => {
    // The first signal ends the server and says goodbye; a second one means now.
    if (stop.signal.aborted) process.exit(exitCode);
    stop.abort(exitCode);
  });
}

const exitCode = await main({
  argv: process.argv.slice(2),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  version: manifest.version,
});
// Not left to the event loop: standard input or an idle connection would hold it open.
process.exit(exitCode);
