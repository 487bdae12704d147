/** A server to speak to, whose tools tell what reached them. */
import { Server, type ServerOptions } from '../../src/server/server.ts';
import { gate } from './http.ts';

/** A server, and what its tools saw. */
export interface Example {
  readonly server: Server;
  /** Names of the tools that ran, in order. */
  readonly runs: string[];
  /** What the tool `hold` does: it waits until it is let go. */
  readonly hold: Hold;
}

/** One run after the other of the tool `hold`. */
export class Hold {
  #started = gate();
  #release = gate();
  #aborted = gate<unknown>();

  /** Resolves when the tool has begun. */
  get started(): Promise<void> {
    return this.#started.opened;
  }

  /** Resolves with the reason when the signal of the tool's context aborts. */
  get aborted(): Promise<unknown> {
    return this.#aborted.opened;
  }

  /** Lets the tool return. */
  release(): void {
    this.#release.open();
  }

  /** Readies it for the next run. */
  again(): void {
    this.#started = gate();
    this.#release = gate();
    this.#aborted = gate<unknown>();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { open } = this.#aborted;
    if (signal.aborted) open(signal.reason);
    else signal.addEventListener('abort', () => open(signal.reason));
    this.#started.open();
    await this.#release.opened;
  }
}

const mirrored = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
    repo: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Repo' } } },
  },
};

/** Makes an example server. */
export function example(options: Partial<ServerOptions> = {}): Example {
  const server = new Server({ name: 'example', version: '1.2.3', instructions: 'Ask for an echo.', ...options });
  const runs: string[] = [];
  const hold = new Hold();
  server.tool('echo', { input: { type: 'object', properties: { text: {} } } }, ({ text }) => {
    runs.push('echo');
    return typeof text === 'string' ? text : JSON.stringify(text ?? null);
  });
  server.tool('caller', {}, (_, { caller }) => {
    runs.push('caller');
    const { principal, revision, capabilities, clientInfo, logLevel } = caller;
    return JSON.stringify({ principal, revision, capabilities, clientInfo, logLevel });
  });
  server.tool('report', {}, async (_, ctx) => {
    runs.push('report');
    await ctx.progress(0.5, 1, 'half');
    await ctx.progress(1, 1);
    return 'reported';
  });
  server.tool('hold', {}, async (_, ctx) => {
    runs.push('hold');
    await hold.run(ctx.signal);
    return 'let go';
  });
  server.tool('mirrored', { input: mirrored }, () => {
    runs.push('mirrored');
    return 'agreed';
  });
  server.tool('Załącznik/日本', {}, () => {
    runs.push('Załącznik/日本');
    return 'read';
  });
  server.tool('fails', {}, () => {
    runs.push('fails');
    throw new Error('the tool failed');
  });
  return { server, runs, hold };
}
