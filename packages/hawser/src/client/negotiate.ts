import { Cancel } from '../base/cancel.ts';
import {
  ConnectionError,
  HttpStatusError,
  InvalidResponseError,
  McpError,
  rpcError,
  UnsupportedProtocolVersionError,
} from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import { judgeProbe, negotiated, supportedBy, type Outcome, type Verdict } from '../core/era.ts';
import { errorCodes } from '../model/meta.ts';
import type { ClientCapabilities, Era, Revision } from '../model/types.ts';
import type { Link, Reply } from '../ports/index.ts';
import { newest, pick, revisionsOf, wireOf, type Described, type Wire } from '../wire/index.ts';
import type { Settings } from './options.ts';

/** A link with a revision settled on it. */
export interface Connection {
  readonly link: Link;
  readonly wire: Wire;
  readonly described: Described;
  /** The `_meta` of every request on it. */
  readonly meta: JsonObject | undefined;
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
}

/**
 * Finds out what a server speaks and settles on a revision (basic/versioning "Backward Compatibility").
 *
 * @throws UnsupportedProtocolVersionError when there is none in common
 */
export async function negotiate(link: Link, terms: Terms): Promise<Connection> {
  const { protocol } = terms.settings;
  const fixed = protocol === 'auto' || protocol === 'modern' || protocol === 'legacy' ? undefined : protocol;
  const era = fixed === undefined ? terms.era : wireOf(fixed).facts.era;
  if (era === 'legacy') return initialize(link, terms, fixed ?? newest.legacy);
  return probe(link, terms, fixed ?? newest.modern, era === 'modern');
}

async function probe(link: Link, terms: Terms, revision: Revision, modernOnly: boolean): Promise<Connection> {
  for (let again = false; ; again = true) {
    const meta = requestMeta(revision, terms);
    const asked = outcomeOf(
      link.request({ method: 'server/discover', params: { _meta: meta } }, { cancel: terms.cancel }),
    );
    const outcome = terms.silenceMeansLegacy && !modernOnly ? await unlessSilent(asked, terms) : await asked;
    if (outcome.on === 'silence') return probeAndInitialize(link, terms, asked);
    const verdict = judgeProbe(outcome, again);
    if (verdict.do === 'modern' && outcome.on === 'result')
      return modern(link, terms, verdict.revision, outcome.result);
    if (verdict.do === 'probe-again') {
      revision = verdict.revision;
      continue;
    }
    if (verdict.do === 'legacy' && !modernOnly) return initialize(link, terms, verdict.revision);
    throw failure(verdict, outcome, revision);
  }
}

function modern(link: Link, terms: Terms, revision: Revision, result: JsonObject): Connection {
  const wire = wireOf(revision);
  return {
    link,
    wire,
    described: wire.lift.description(wire.lift.complete(result)),
    meta: requestMeta(revision, terms),
  };
}

function requestMeta(revision: Revision, terms: Terms): JsonObject | undefined {
  return wireOf(revision).lower.requestMeta({ info: terms.settings.clientInfo, capabilities: terms.capabilities });
}

/** The outcome, or silence when it has not come in time. */
async function unlessSilent(asked: Promise<Outcome>, terms: Terms): Promise<Outcome> {
  const { clock, discoverTimeoutMs } = terms.settings;
  let timer: { cancel(): void } | undefined;
  const silence = new Promise<Outcome>((resolve) => {
    timer = clock.after(discoverTimeoutMs, () => resolve({ on: 'silence' }));
  });
  try {
    return await Promise.race([asked, silence]);
  } finally {
    timer?.cancel();
  }
}

/** The server may be legacy and deaf to the probe, or modern and slow: whichever answers first. */
async function probeAndInitialize(link: Link, terms: Terms, asked: Promise<Outcome>): Promise<Connection> {
  const late = asked.then(
    (outcome) => {
      const verdict = judgeProbe(outcome, true);
      return verdict.do === 'modern' && outcome.on === 'result'
        ? modern(link, terms, verdict.revision, outcome.result)
        : undefined;
    },
    () => undefined,
  );
  const answered = sendInitialize(link, terms, newest.legacy);
  const first = await Promise.race([late, answered]);
  if (first !== undefined && 'link' in first) {
    answered.catch(() => undefined);
    return first;
  }
  return settle(link, terms, newest.legacy, await answered);
}

async function initialize(link: Link, terms: Terms, revision: Revision): Promise<Connection> {
  return settle(link, terms, revision, await sendInitialize(link, terms, revision));
}

function sendInitialize(link: Link, terms: Terms, revision: Revision): Promise<Reply> {
  const params = {
    protocolVersion: revision,
    capabilities: terms.capabilities,
    clientInfo: terms.settings.clientInfo,
  };
  return link.request({ method: 'initialize', params }, { cancel: terms.cancel });
}

async function settle(link: Link, terms: Terms, asked: Revision, reply: Reply): Promise<Connection> {
  if (reply.error !== undefined) {
    const modernOffer =
      reply.error.code === errorCodes.unsupportedVersion ? pick(supportedBy(reply.error), 'modern') : undefined;
    // A server that knows only the modern era says so in the words of that era.
    if (modernOffer !== undefined && terms.settings.protocol === 'auto') return probe(link, terms, modernOffer, true);
    throw rpcError(reply.error, { outcome: 'refused', ...(reply.status !== undefined && { status: reply.status }) });
  }
  const offered = reply.result['protocolVersion'];
  const revision = negotiated(offered);
  if (revision === undefined) throw noCommonVersion([String(offered)], asked);
  const wire = wireOf(revision);
  const described = wire.lift.description(reply.result);
  await link.notify({ method: 'notifications/initialized' });
  return { link, wire, described, meta: undefined };
}

/** A reply or a failure as what the judgement takes; failures that tell nothing of an era are thrown. */
async function outcomeOf(asked: Promise<Reply>): Promise<Outcome> {
  try {
    const reply = await asked;
    return reply.error === undefined
      ? { on: 'result', result: reply.result }
      : { on: 'error', error: reply.error, status: reply.status };
  } catch (error) {
    if (error instanceof InvalidResponseError) return { on: 'garbage' };
    if (error instanceof HttpStatusError && error.status !== undefined) {
      const outcome: Outcome = { on: 'status', status: error.status };
      if (judgeProbe(outcome, false).do !== 'surface') return outcome;
    }
    throw error;
  }
}

function failure(verdict: Verdict, outcome: Outcome, asked: Revision): McpError {
  if (verdict.do === 'no-common-version') return noCommonVersion(verdict.supported, asked);
  if (outcome.on === 'error') {
    return rpcError(outcome.error, {
      outcome: 'refused',
      ...(outcome.status !== undefined && { status: outcome.status }),
    });
  }
  if (outcome.on === 'status') return new HttpStatusError(outcome.status, `server/discover: HTTP ${outcome.status}`);
  return new ConnectionError('the server does not speak a modern revision of the protocol', { origin: 'peer' });
}

function noCommonVersion(supported: readonly string[], requested: Revision): UnsupportedProtocolVersionError {
  const ours = [...revisionsOf('modern'), ...revisionsOf('legacy')];
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
