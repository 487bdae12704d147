import { lookAt } from './ask/address.ts';
import { UnansweredError } from './ask/unanswered-error.ts';
import { codeOf } from './files.ts';
import { isObject } from './schema.ts';
import { clip, oneLine } from './text.ts';
import { noAnswer } from './trace.ts';
import { UsageError } from './usage-error.ts';

/** Exit codes of the command. A signal ends it with 128 and the signal's number. */
export const exit = {
  ok: 0,
  tool: 1,
  usage: 2,
  connection: 3,
  protocol: 4,
  auth: 5,
  unanswered: 6,
  fault: 70,
} as const;

/** What is known when something fails. */
export interface Situation {
  /** The server as it may be shown. */
  readonly server?: string | undefined;
  /** How to list what this server has (`tools`, `resources`, …), for a hint. */
  readonly list?: ((what: string) => string) | undefined;
  /** What was being used: decides which list helps. */
  readonly using?: string | undefined;
  /** What was agreed on, or `undefined` while connecting. */
  readonly agreed?: { revision: string; era: string } | undefined;
  /** The value of `--protocol`. */
  readonly asked?: string | undefined;
  /** What was tried to find the era, in words. */
  readonly steps?: readonly string[] | undefined;
  /** Whether an Authorization header was given. */
  readonly credentials?: boolean | undefined;
  /** Whether the server was started by its command. */
  readonly started?: boolean | undefined;
}

/** A failure as it leaves the command. */
export interface Failure {
  readonly exitCode: number;
  /** A word to branch on. */
  readonly code: string;
  readonly message: string;
  /** At most three lines: what failed, where, what to do about it. */
  readonly lines: readonly string[];
}

/** The library's errors, read by their brand-free shape so that a second copy of the library does no harm. */
interface Known {
  readonly code: string;
  readonly message: string;
  readonly rpc: { readonly code: unknown; readonly data: unknown } | undefined;
  readonly status: number | undefined;
  /** Whose fault it is: `peer`, `local` or `transport`. */
  readonly origin: unknown;
}

/** Says what an error means for the user. Never with a stack; secrets are the caller's to remove. */
export function explain(error: unknown, situation: Situation = {}): Failure {
  if (error instanceof UsageError) {
    return failure(exit.usage, 'usage', error.message, undefined, error.hint);
  }
  if (error instanceof UnansweredError) {
    return failure(exit.unanswered, 'unanswered', error.message, placeOf(situation), error.hint);
  }
  const known = read(error);
  if (known === undefined) {
    const message = error instanceof Error ? error.message : String(error);
    return failure(
      exit.fault,
      'fault',
      `unexpected: ${message}`,
      undefined,
      'run it again with --verbose and report it',
    );
  }
  const exitCode = exitCodeOf(known);
  const message = messageOf(known);
  const place = exitCode === exit.usage ? undefined : placeOf(situation);
  return failure(exitCode, known.code, message, place, hintOf(known, error, situation));
}

function failure(exitCode: number, code: string, message: string, place?: string, hint?: string): Failure {
  const what = clip(oneLine(message), 400);
  const lines = [`hawser: ${what}`];
  if (place !== undefined) lines.push(`  ${clip(oneLine(place), 400)}`);
  if (hint !== undefined) lines.push(`  hint: ${clip(oneLine(hint), 400)}`);
  return { exitCode, code, message: what, lines };
}

function read(error: unknown): Known | undefined {
  if (!(error instanceof Error) || !('origin' in error) || !('code' in error)) return undefined;
  if (typeof error.code !== 'string' || error.code === 'internal') return undefined;
  const rpc = 'rpc' in error && isObject(error.rpc) ? { code: error.rpc['code'], data: error.rpc['data'] } : undefined;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
  return { code: error.code, message: error.message, rpc, status, origin: error.origin };
}

function exitCodeOf({ code, rpc, status, origin }: Known): number {
  if (code === 'bad_argument') return exit.usage;
  if (status === 401 || status === 403 || code === 'unauthorized' || code === 'insufficient_scope') return exit.auth;
  // The server asked for something: badly, or for what hawser has no answer to.
  if (code === 'input_required') return origin === 'peer' ? exit.protocol : exit.unanswered;
  if (rpc !== undefined || code === 'invalid_response' || code === 'capability') return exit.protocol;
  return exit.connection;
}

function messageOf({ message, rpc }: Known): string {
  return rpc === undefined ? message : `the server answered with error ${String(rpc.code)}: ${message}`;
}

function placeOf({ server, agreed, asked, steps }: Situation): string | undefined {
  if (server === undefined) return undefined;
  if (agreed !== undefined) return `at ${server}, revision ${agreed.revision} (${agreed.era})`;
  const answered = steps?.some((step) => !step.endsWith(noAnswer)) === true;
  const tried = answered ? `: ${steps.join('; ')}` : '';
  return `at ${server}, no revision agreed on yet (--protocol ${asked ?? 'auto'}${tried})`;
}

const byCause: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start the server, or check host and port',
  ENOTFOUND: 'check the host name',
  EAI_AGAIN: 'check the host name and the network',
  ECONNRESET: 'check that the port speaks HTTP, and http against https',
  EPROTO: 'check http against https: the port may not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'write http instead of https: the port does not speak TLS',
  CERT_HAS_EXPIRED: 'renew the certificate of the server',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'trust the certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem hawser …',
  SELF_SIGNED_CERT_IN_CHAIN: 'trust its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem hawser …',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'trust its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem hawser …',
  ENOENT: 'check the spelling of the command, and that it is installed',
  EACCES: 'check that the file may be executed',
};

function hintOf(known: Known, error: unknown, situation: Situation): string | undefined {
  const { code, rpc, status } = known;
  if (status === 401 || code === 'unauthorized') {
    return situation.credentials === true
      ? 'use other credentials: the server did not accept the Authorization header'
      : 'give credentials: --header-env Authorization=VARIABLE, the variable holding for example "Bearer …"';
  }
  if (code === 'insufficient_scope') return 'use credentials that are allowed to do this';
  if (status === 403) return 'check the credentials; a server may also refuse a host name or origin it does not know';
  if (code === 'unsupported_version') {
    const supported = isObject(rpc?.data) && Array.isArray(rpc.data['supported']) ? rpc.data['supported'] : [];
    const named = supported.filter((version) => typeof version === 'string');
    return named.length === 0 ? 'use --protocol auto' : `use --protocol auto; the server speaks ${named.join(', ')}`;
  }
  if (situation.agreed === undefined && situation.asked !== undefined && situation.asked !== 'auto') {
    if (exitCodeOf(known) === exit.protocol) return 'use --protocol auto: the server may speak another revision';
  }
  const what = offerHint(known, situation);
  if (what !== undefined) return what;
  if (code === 'timeout') return 'allow more time: --timeout 300';
  for (const cause of causesOf(error)) if (byCause[cause] !== undefined) return byCause[cause];
  if (status === 429) return 'wait a little: the server limits how often it is asked';
  if (status !== undefined && status >= 500) return 'try later, or read the log of the server';
  const strange = code === 'invalid_response' && situation.agreed === undefined && situation.started !== true;
  if ((status === 404 || status === 405) && situation.server?.endsWith('/sse') === true) {
    return 'try /mcp instead of /sse: the HTTP+SSE transport of 2024-11-05 is not supported';
  }
  if (code === 'http_status' || strange) return 'check the path: many servers answer at /mcp';
  if (situation.started === true && exitCodeOf(known) === exit.connection) {
    return 'start the command by itself to see what it prints';
  }
  if (exitCodeOf(known) === exit.usage) return undefined;
  return '--verbose shows what was sent and received';
}

/** How servers of 2025-11-25 say that a page has to be visited first. */
const urlElicitationRequired = -32042;

function pageOf(data: unknown): string | undefined {
  const elicitations: unknown[] = isObject(data) && Array.isArray(data['elicitations']) ? data['elicitations'] : [];
  const [first] = elicitations;
  return isObject(first) && typeof first['url'] === 'string' ? lookAt(first['url'])?.href : undefined;
}

/** Looking at what the server offers helps when something is not there, or takes other arguments. */
function offerHint({ code, rpc, message }: Known, { list, using }: Situation): string | undefined {
  if (list === undefined) return undefined;
  if (code === 'resource_not_found') return `${list('resources')} lists what can be read`;
  if (code === 'capability') return `${list('discover')} shows what it offers`;
  if (code === 'input_required') return 'it asks for what hawser has no answer to; --verbose shows what';
  if (code === 'missing_client_capability') return 'it needs what hawser does not offer; --verbose shows what';
  const page = rpc?.code === urlElicitationRequired ? pageOf(rpc.data) : undefined;
  if (page !== undefined) return `go to ${page}, then run this again`;
  if (rpc?.code !== -32602 || using === undefined || /cursor/i.test(message)) return undefined;
  if (using === 'resources') return `${list(using)} lists what can be read`;
  return `${list(using)} shows which arguments ${using === 'tools' ? 'the tool takes' : 'it takes'}`;
}

/** The `code`s along the chain of causes. */
function causesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth++) {
    const code = codeOf(at);
    if (code !== undefined) codes.push(code);
    at = at instanceof AggregateError && at.cause === undefined ? at.errors[0] : at.cause;
  }
  return codes;
}
