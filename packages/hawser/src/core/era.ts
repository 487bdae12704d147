/**
 * The client's judgement of a server's first answer: which era to go on in (MCP 2026-07-28, basic/versioning
 * "Backward Compatibility"). A pure classifier: what came in, what to do out.
 */
import type { RpcErrorObject } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type { Revision } from '../model/types.ts';
import { newest, pick, revisionsOf } from '../wire/index.ts';

/** What came back from `server/discover`. */
export type Outcome =
  | { readonly on: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly on: 'error'; readonly error: RpcErrorObject; readonly status?: number | undefined }
  /** An HTTP status whose body is no JSON-RPC message. */
  | { readonly on: 'status'; readonly status: number }
  /** A response that is not one: for a legacy server a modern request is as good as garbage. */
  | { readonly on: 'garbage' }
  /** Nothing came in time. Only on pipes: over HTTP it is a failure of the network. */
  | { readonly on: 'silence' };

/** What to do next. */
export type Verdict =
  | { readonly do: 'modern'; readonly revision: Revision }
  /** Send the probe again, once, naming this revision. */
  | { readonly do: 'probe-again'; readonly revision: Revision }
  /** `initialize`, proposing this revision. */
  | { readonly do: 'legacy'; readonly revision: Revision }
  /** Modern, but the request was wrong for it; the server's error tells how. */
  | { readonly do: 'fail-modern' }
  | { readonly do: 'no-common-version'; readonly supported: readonly string[] }
  /** No verdict: the failure has to surface, the era stays open. */
  | { readonly do: 'surface' };

/** Statuses of 4xx that speak of credentials, proxies or load, never of an era; redirects and 5xx do not either. */
const noVerdict = new Set([401, 403, 407, 408, 429]);

const legacy: Verdict = { do: 'legacy', revision: newest.legacy };
const surface: Verdict = { do: 'surface' };

/** Judges the outcome of a probe; `again` when it was sent for the second time. */
export function judgeProbe(outcome: Outcome, again: boolean): Verdict {
  switch (outcome.on) {
    case 'result':
      return judgeVersions(outcome.result['supportedVersions']);
    case 'error':
      return judgeError(outcome.error, outcome.status, again);
    case 'status':
      return judgeStatus(outcome.status);
    case 'garbage':
    case 'silence':
      return legacy;
  }
}

function judgeVersions(versions: unknown): Verdict {
  if (!Array.isArray(versions)) return legacy;
  const offered = versions.filter((version) => typeof version === 'string');
  return pickModern(offered) ?? pickLegacy(offered) ?? { do: 'no-common-version', supported: offered };
}

function judgeError(error: RpcErrorObject, status: number | undefined, again: boolean): Verdict {
  switch (error.code) {
    case errorCodes.unsupportedVersion: {
      const offered = supportedBy(error);
      const modern = pickModern(offered);
      // A server may refuse a revision and list it all the same: worth one more try, not two.
      if (modern !== undefined)
        return again
          ? { do: 'no-common-version', supported: offered }
          : { do: 'probe-again', revision: modern.revision };
      return pickLegacy(offered) ?? { do: 'no-common-version', supported: offered };
    }
    case errorCodes.headerMismatch:
      return { do: 'fail-modern' };
    case errorCodes.missingClientCapability:
      return isObject(error.data) && isObject(error.data['requiredCapabilities']) ? { do: 'fail-modern' } : legacy;
    default:
      return status === undefined ? legacy : judgeStatus(status);
  }
}

function judgeStatus(status: number): Verdict {
  if (status >= 200 && status < 300) return legacy;
  return status >= 400 && status < 500 && !noVerdict.has(status) ? legacy : surface;
}

/** Whether an error comes from a modern server, whatever it was asked: only these codes are the protocol's own. */
export function tellsModern(error: RpcErrorObject): boolean {
  const verdict = judgeError(error, undefined, true);
  return error.code === errorCodes.unsupportedVersion || verdict.do === 'fail-modern';
}

/** The versions a -32022 names; none when it names none. */
export function supportedBy(error: RpcErrorObject): readonly string[] {
  const supported = isObject(error.data) ? error.data['supported'] : undefined;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : [];
}

function pickModern(offered: readonly string[]): { do: 'modern'; revision: Revision } | undefined {
  const revision = pick(offered, 'modern');
  return revision === undefined ? undefined : { do: 'modern', revision };
}

function pickLegacy(offered: readonly string[]): Verdict | undefined {
  const revision = pick(offered, 'legacy');
  return revision === undefined ? undefined : { do: 'legacy', revision };
}

/** The revision an `initialize` was answered with, if it is a legacy one that we speak. */
export function negotiated(version: unknown): Revision | undefined {
  return revisionsOf('legacy').find((revision) => revision === version);
}
