import { McpError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';

/** A group of servers has none of this name; see `known`. */
export class ServerNotFoundError extends McpError {
  readonly server: string;
  /** The names that there are. */
  readonly known: readonly string[];
  constructor(server: string, known: readonly string[]) {
    const names = known.map((name) => `"${sample(name, 100)}"`).join(', ');
    super('server_not_found', `there is no server "${sample(server, 100)}" in the group (${names || 'it is empty'})`, {
      outcome: 'not-sent',
    });
    this.server = server;
    this.known = known;
  }
}

/** No server of a group lists a tool of this name. */
export class ToolNotFoundError extends McpError {
  readonly tool: string;
  /** Servers that are not connected or could not list theirs, and may have it. */
  readonly unavailable: readonly string[];
  constructor(tool: string, unavailable: readonly string[] = []) {
    super('tool_not_found', notListed('tool', tool, unavailable), { outcome: 'not-sent' });
    this.tool = tool;
    this.unavailable = unavailable;
  }
}

/** No server of a group lists a prompt of this name. */
export class PromptNotFoundError extends McpError {
  readonly prompt: string;
  /** Servers that are not connected or could not list theirs, and may have it. */
  readonly unavailable: readonly string[];
  constructor(prompt: string, unavailable: readonly string[] = []) {
    super('prompt_not_found', notListed('prompt', prompt, unavailable), { outcome: 'not-sent' });
    this.prompt = prompt;
    this.unavailable = unavailable;
  }
}

function notListed(kind: string, name: string, unavailable: readonly string[]): string {
  const others = unavailable.map((server) => `"${sample(server, 100)}"`).join(', ');
  return `no server lists a ${kind} "${sample(name, 100)}"${others && ` (these could not tell: ${others})`}`;
}

/** Several servers of a group list a tool, prompt or resource of this name: say which one is meant. */
export class AmbiguousNameError extends McpError {
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** The name of the tool or prompt, or the URI. */
  readonly requested: string;
  readonly servers: readonly string[];
  constructor(kind: AmbiguousNameError['kind'], requested: string, servers: readonly string[]) {
    const names = servers.map((server) => `"${sample(server, 100)}"`).join(', ');
    super('ambiguous_name', `several servers have the ${kind} "${sample(requested, 100)}": name one of ${names}`, {
      outcome: 'not-sent',
    });
    this.kind = kind;
    this.requested = requested;
    this.servers = servers;
  }
}

/** One server of a group failed; `cause` is how. Its status and outcome are those of the cause. */
export class ServerFailedError extends McpError {
  readonly server: string;
  /** What failed: `connect`, or the method of a list. */
  readonly during: string;
  declare readonly cause: McpError;
  constructor(server: string, during: string, error: unknown) {
    const cause = McpError.from(error);
    const shown = `server "${sample(server, 100)}"`;
    // What a configuration lacks says so by itself.
    const said = cause.message.startsWith(`${shown}: `) ? cause.message.slice(shown.length + 2) : cause.message;
    super('server_failed', `${shown}, ${during}: ${said}`, {
      origin: cause.origin,
      cause,
      ...(cause.outcome !== undefined && { outcome: cause.outcome }),
      ...(cause.status !== undefined && { status: cause.status }),
      ...(cause.rpc !== undefined && { rpc: cause.rpc }),
    });
    this.server = server;
    this.during = during;
  }
}
