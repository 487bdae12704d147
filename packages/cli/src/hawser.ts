#!/usr/bin/env node
import { homedir } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import { main } from './main.ts';
import { openUrl } from './open-url.ts';

/** Signals that ask the command to stop, with the exit codes that shells expect for them. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const stop = new AbortController();

/** The first signal ends the server and says goodbye; a second one means now. */
function interrupt(exitCode: number): void {
  if (stop.signal.aborted) process.exit(exitCode);
  stop.abort(exitCode);
}

for (const [signal, exitCode] of Object.entries(signals)) process.on(signal, () => interrupt(exitCode));

const exitCode = await main({
  argv: process.argv.slice(2),
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  interrupt: () => interrupt(signals.SIGINT),
  version: manifest.version,
  surroundings: {
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    environment: process.env,
    uid: process.getuid?.(),
  },
  openUrl: (href) => openUrl(process.platform, href),
});
// Not left to the event loop: standard input or an idle connection would hold it open.
process.exit(exitCode);
