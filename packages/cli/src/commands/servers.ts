import { describeServer } from 'hawser';
import { readServers } from '../config.ts';
import type { Surroundings } from '../config.ts';
import { exit } from '../errors.ts';
import type { Output } from '../output.ts';
import { clip, oneLine, printableJson } from '../text.ts';

/** What listing the configured servers takes. */
export interface Listing {
  readonly json: boolean;
  /** `--config`. */
  readonly file: string | undefined;
  readonly surroundings: Surroundings;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** `hawser servers`: what the configuration files hold, without the values that may be secrets. Starts nothing. */
export function servers({ json, file, surroundings, stdout, stderr }: Listing): number {
  const { found, problems, files } = readServers(file, surroundings);
  if (json) {
    const list = found.map(({ name, server, file: from }) => ({
      name,
      type: server.type,
      description: describeServer(server),
      disabled: server.disabled === true,
      file: from,
    }));
    stdout.line(printableJson({ servers: list, problems, files }));
    return exit.ok;
  }
  const { paint } = stdout.style;
  const lines: string[] = [];
  for (const from of files) {
    const its = found.filter((candidate) => candidate.file === from);
    if (its.length === 0) continue;
    lines.push(paint.dim(oneLine(from)));
    for (const { name, server } of its) {
      lines.push(`  ${paint.bold(paint.cyan(clip(oneLine(name), 80)))}  ${oneLine(describeServer(server))}`);
    }
  }
  if (lines.length === 0) {
    stderr.line('no servers are configured: hawser looks for .mcp.json and .vscode/mcp.json, here and upwards');
  } else stdout.line(lines.join('\n'));
  for (const problem of problems) stderr.line(stderr.style.paint.dim(`warning: ${clip(oneLine(problem), 400)}`));
  return exit.ok;
}
