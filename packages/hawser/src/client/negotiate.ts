import { Cancel } from '../base/cancel.ts';
import {
  ConnectionError,
  HttpStatusError,
  InvalidResponseError,
  McpError,
  ResponseStreamClosedError,
  rpcError,
  UnsupportedProtocolVersionError,
} from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import { within } from '../base/within.ts';
import { judgeProbe, negotiated, supportedBy, tellsModern, type Outcome, type Verdict } from '../core/era.ts';
import { errorCodes } from '../model/meta.ts';
import type { ClientCapabilities, Era, Revision } from '../model/types.ts';
import type { Link, Reply } from '../ports/index.ts';
import { newest, pick, revisions, revisionsOf, wireOf, type Described, type Wire } from '../wire/index.ts';
import { ConnectionMeta } from './lowered.ts';
import type { Settings } from './options.ts';

/** A link with a revision settled on it. */
export interface Connection {
  readonly link: Link;
  readonly wire: Wire;
  readonly described: Described;
  /** The `_meta` of every request on it. */
  readonly meta: ConnectionMeta | undefined;
  /** What this client declared on it. */
  readonly declared: ClientCapabilities;
}

/** What negotiation depends on besides the link. */
export interface Terms {
  readonly settings: Settings;
  readonly capabilities: ClientCapabilities;
  /** Pipes only: silence tells something, since nothing lies between. */
  readonly silenceMeansLegacy: boolean;
  /** The era, where it is known or chosen. */
  readonly era: Era | undefined;
  readonly cancel: Cancel;
  /** Told what is spoken on the link, before the server may ask anything. */
  readonly settled: (wire: Wire) => void;
}

/** What came of a question: the outcome to judge, and how it failed if it did. */
interface Heard {
  readonly outcome: Outcome;
  readonly error?: McpError;
}

/**
 * Finds out what a server speaks and settles on a revision (basic/versioning "Backward Compatibility").
 *
 * @throws UnsupportedProtocolVersionError when there is none in common
 */
export async function negotiate(link: Link, terms: Terms): Promise<Connection> {
  const fixed = fixedRevision(terms);
  const era = fixed === undefined ? terms.era : wireOf(fixed).facts.era;
  if (era === 'legacy') return initialize(link, terms, fixed ?? newest.legacy);
  return probe(link, terms, fixed ?? newest.modern, era === 'modern');
}

/** The one revision that was asked for; undefined when there is a choice. */
function fixedRevision({ settings: { protocol } }: Terms): Revision | undefined {
  return protocol === 'auto' || protocol === 'modern' || protocol === 'legacy' ? undefined : protocol;
}

async function probe(link: Link, terms: Terms, revision: Revision, modernOnly: boolean): Promise<Connection> {
  for (let again = false; ; again = true) {
    const asked = discover(link, terms, revision);
    const silent: Heard = { outcome: { on: 'silence' } };
    const heard =
      terms.silenceMeansLegacy && !modernOnly
        ? await within(terms.settings.discoverTimeoutMs, asked, silent, terms.settings.clock)
        : await asked;
    const { outcome } = heard;
    if (outcome.on === 'silence') return probeAndInitialize(link, terms, asked);
    const verdict = judgeProbe(outcome, again);
    if (verdict.do === 'modern' && outcome.on === 'result')
      return modern(link, terms, verdict.revision, outcome.result);
    if (verdict.do === 'probe-again') {
      revision = verdict.revision;
      continue;
    }
    if (verdict.do === 'legacy' && !modernOnly) return initialize(link, terms, verdict.revision);
    throw failure(verdict, heard, revision);
  }
}

/** Sends `server/discover`. A stream that ends without a word is followed by one more try, as for every request. */
async function discover(link: Link, terms: Terms, revision: Revision): Promise<Heard> {
  const call = { method: 'server/discover', params: { _meta: requestMeta(revision, terms) } };
  const ask = (): Promise<Reply> => link.request(call, { cancel: terms.cancel });
  try {
    return await hear(ask());
  } catch (error) {
    if (!(error instanceof ResponseStreamClosedError)) throw error;
  }
  try {
    return await hear(ask());
  } catch (error) {
    // Twice, and not broken off: this server answers what it does not understand with nothing.
    if (error instanceof ResponseStreamClosedError && error.cause === undefined)
      return { outcome: { on: 'garbage' }, error };
    throw error;
  }
}

function modern(link: Link, terms: Terms, revision: Revision, result: JsonObject): Connection {
  const wire = wireOf(revision);
  const described = wire.lift.description(wire.lift.complete(result));
  terms.settled(wire);
  return { link, wire, described, meta: connectionMeta(revision, terms), declared: declaredIn(wire, terms) };
}

function connectionMeta(revision: Revision, terms: Terms): ConnectionMeta | undefined {
  const meta = requestMeta(revision, terms);
  return meta && new ConnectionMeta(meta);
}

function requestMeta(revision: Revision, terms: Terms): JsonObject | undefined {
  const wire = wireOf(revision);
  return wire.lower.requestMeta({ info: terms.settings.clientInfo, capabilities: declaredIn(wire, terms) });
}

function declaredIn(wire: Wire, { capabilities }: Terms): ClientCapabilities {
  return wire.lower.clientCapabilities(capabilities);
}

/** The server may be legacy and deaf to the probe, or modern and slow: whichever answers first. */
async function probeAndInitialize(link: Link, terms: Terms, asked: Promise<Heard>): Promise<Connection> {
  const late = asked.then(
    ({ outcome }) => {
      const verdict = judgeProbe(outcome, true);
      if (verdict.do === 'modern' && outcome.on === 'result')
        return modern(link, terms, verdict.revision, outcome.result);
      // It heard the probe after all, and has nothing modern to say.
      return new Promise<never>(() => undefined);
    },
    () => new Promise<never>(() => undefined),
  );
  const answered = sendInitialize(link, terms, newest.legacy);
  const first = await Promise.race([late, answered]);
  if ('link' in first) {
    answered.catch(() => undefined);
    return first;
  }
  if (first.error === undefined) return settle(link, terms, newest.legacy, first);
  // A modern server refuses the handshake at once and may still be busy with the probe.
  const found = await within(terms.settings.discoverTimeoutMs, late, undefined, terms.settings.clock);
  return found ?? settle(link, terms, newest.legacy, first);
}

async function initialize(link: Link, terms: Terms, revision: Revision): Promise<Connection> {
  return settle(link, terms, revision, await sendInitialize(link, terms, revision));
}

function sendInitialize(link: Link, terms: Terms, revision: Revision): Promise<Reply> {
  const params = {
    protocolVersion: revision,
    capabilities: declaredIn(wireOf(revision), terms),
    clientInfo: terms.settings.clientInfo,
  };
  return link.request({ method: 'initialize', params }, { cancel: terms.cancel });
}

async function settle(link: Link, terms: Terms, asked: Revision, reply: Reply): Promise<Connection> {
  if (reply.error !== undefined) {
    const { error, status } = reply;
    // A server that knows only the modern era says so in the words of that era.
    if (terms.settings.protocol === 'auto' && tellsModern(error))
      return probe(link, terms, pick(supportedBy(error), 'modern') ?? newest.modern, true);
    throw rpcError(error, { outcome: 'refused', ...(status !== undefined && { status }) });
  }
  const offered = reply.result['protocolVersion'];
  if (typeof offered !== 'string') throw new InvalidResponseError('initialize: protocolVersion is missing');
  const revision = negotiated(offered);
  const fixed = fixedRevision(terms);
  if (revision === undefined || (fixed !== undefined && revision !== fixed))
    throw noCommonVersion([offered], asked, fixed === undefined ? revisionsOf('legacy') : [fixed]);
  const wire = wireOf(revision);
  const described = wire.lift.description(reply.result);
  terms.settled(wire);
  await link.notify({ method: 'notifications/initialized' });
  return { link, wire, described, meta: undefined, declared: declaredIn(wireOf(asked), terms) };
}

/** A reply or a failure as what the judgement takes; failures that tell nothing of an era are thrown. */
async function hear(asked: Promise<Reply>): Promise<Heard> {
  try {
    const { result, error, ...rest } = await asked;
    if (error === undefined) return { outcome: { on: 'result', result } };
    const status = 'status' in rest ? rest.status : undefined;
    const details = status === undefined ? {} : { status };
    return { outcome: { on: 'error', error, status }, error: rpcError(error, { outcome: 'refused', ...details }) };
  } catch (error) {
    if (error instanceof InvalidResponseError) return { outcome: { on: 'garbage' }, error };
    if (error instanceof HttpStatusError && error.status !== undefined) {
      const outcome: Outcome = { on: 'status', status: error.status };
      if (judgeProbe(outcome, false).do !== 'surface') return { outcome, error };
    }
    throw error;
  }
}

function failure(verdict: Verdict, { outcome, error }: Heard, asked: Revision): McpError {
  if (verdict.do === 'no-common-version') return noCommonVersion(verdict.supported, asked);
  if (error !== undefined) return error;
  // It is modern in its manners, and names only versions of the other era.
  const versions = outcome.on === 'result' ? outcome.result['supportedVersions'] : undefined;
  if (Array.isArray(versions)) return noCommonVersion(versions.map(String), asked, revisionsOf('modern'));
  return new ConnectionError('the server does not speak a modern revision of the protocol', { origin: 'peer' });
}

function noCommonVersion(
  supported: readonly string[],
  requested: Revision,
  ours: readonly Revision[] = revisions,
): UnsupportedProtocolVersionError {
  const theirs =
    supported.length === 0
      ? 'none'
      : supported
          .slice(0, 20)
          .map((version) => sample(version, 40))
          .join(', ');
  return new UnsupportedProtocolVersionError({
    code: errorCodes.unsupportedVersion,
    message: `no protocol version in common: the server speaks ${theirs}, this client ${ours.join(', ')}`,
    data: { supported, requested },
  });
}
