import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { CacheHints, Implementation, ServerCapabilities } from '../model/types.ts';
import type { Exchange, Reply } from '../ports/index.ts';
import { revisions, wireOf } from '../wire/index.ts';
import { copied } from './definitions.ts';
import type { Offered } from './subscriptions.ts';

/** What an author says that nothing registered says: all else is declared by what there is. */
export interface DeclaredCapabilities {
  /** `false`: no log messages are sent, and none are declared. Default: they are. */
  logging?: false;
  /** What is no part of the protocol yet, by names of one's own. */
  experimental?: Readonly<Record<string, JsonObject>>;
  /** Extensions and their settings, by their ids, such as `com.example/ext`. */
  extensions?: Readonly<Record<string, JsonObject>>;
}

const names: readonly string[] = ['logging', 'experimental', 'extensions'];

/**
 * A copy of what is declared, that later changes do not reach.
 *
 * @throws ArgumentError for what cannot be declared
 */
export function declaredOf(given: DeclaredCapabilities = {}): DeclaredCapabilities {
  // Untyped callers may give anything.
  const declared: unknown = given;
  if (!isObject(declared) || !Object.keys(declared).every((name) => names.includes(name)))
    throw new ArgumentError(`capabilities may have ${names.join(', ')}: all else follows from what is registered`);
  const { logging, experimental, extensions } = given;
  if (![undefined, false].includes(logging))
    throw new ArgumentError('capabilities: logging is declared unless it is false');
  for (const [name, members] of Object.entries({ experimental, extensions })) {
    if (members === undefined) continue;
    if (!isObject(members)) throw new ArgumentError(`capabilities: ${name} has to be an object`);
    // Clients that check what they get would not connect to what declares anything else.
    for (const [member, settings] of Object.entries(members))
      if (!isObject(settings)) throw new ArgumentError(`capabilities: ${sample(member)} has to be an object`);
  }
  return copied<DeclaredCapabilities>('capabilities', { logging, experimental, extensions });
}

/** What a server says of itself; see `initialize` and `server/discover`. */
export interface Description {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly declared: DeclaredCapabilities;
  readonly hints: CacheHints;
}

/** Answers `initialize` and `server/discover`: a server has what was ever registered. */
export function describe(
  { caller, supportedVersions = revisions }: Exchange,
  about: Description,
  offered: Offered,
  completes: boolean,
): Reply {
  const { revision } = caller;
  const { lower, facts } = wireOf(revision);
  const { info, instructions, declared, hints } = about;
  const { logging, experimental, extensions } = declared;
  // A legacy caller without a session has nothing that changes could come on, and sets no level.
  const follows = facts.era === 'modern' || caller.session !== undefined;
  const listChanged = follows && { listChanged: true };
  const capabilities: ServerCapabilities = {
    tools: { ...listChanged },
    ...(follows && logging !== false && { logging: {} }),
    ...(offered.promptsListChanged && { prompts: { ...listChanged } }),
    ...(offered.resourcesListChanged && { resources: { ...(follows && { subscribe: true }), ...listChanged } }),
    ...(completes && { completions: {} }),
    ...(experimental && { experimental }),
    ...(extensions && { extensions }),
  };
  const description = { serverInfo: info, capabilities, ...(instructions !== undefined && { instructions }) };
  // A handshake settles on one revision; a discovery names all that a caller may speak.
  const versions = facts.era === 'modern' ? supportedVersions : [revision];
  return { result: lower.description(description, versions, hints) };
}
