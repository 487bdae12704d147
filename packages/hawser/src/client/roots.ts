import { noticeDeprecated } from '../base/deprecations.ts';
import { ArgumentError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { sample, type GuardedLogger } from '../base/logger.ts';
import type { ListRootsResult, Root } from '../model/inputs.ts';
import type { ClientCapabilities } from '../model/types.ts';

/** The places a server is told of, or a function that is asked for them each time a server asks. */
export type RootsSource = readonly Root[] | (() => readonly Root[] | Promise<readonly Root[]>);

/** The client's roots (client/roots). They are advice: what a server may really do is for the system to say. */
export class Roots {
  readonly #logger: GuardedLogger;
  readonly #declared: boolean;
  #ask: (() => readonly Root[] | Promise<readonly Root[]>) | undefined;
  #roots: readonly Root[] = [];

  /** @throws ArgumentError for a root that is none */
  constructor(source: RootsSource | undefined, logger: GuardedLogger) {
    this.#logger = logger;
    this.#declared = source !== undefined;
    if (typeof source === 'function') this.#ask = source;
    else if (source !== undefined) this.set(source);
  }

  /** Declared when roots are an option of the client, even without any: then they can be set later. */
  get capability(): ClientCapabilities['roots'] {
    return this.#declared ? { listChanged: true } : undefined;
  }

  /** A copy of those in force; of a function, what it gave last. */
  get current(): Root[] {
    return this.#roots.map((root) => ({ ...root }));
  }

  /** Replaces all roots, and a function that was to be asked. @throws ArgumentError, and nothing is changed then */
  set(roots: readonly Root[]): void {
    this.#roots = checked(roots);
    this.#ask = undefined;
    this.#notice();
  }

  /** Answers a server, always: with no roots until there are some. */
  async list(): Promise<ListRootsResult> {
    const ask = this.#ask;
    if (ask === undefined) return { roots: this.current };
    const roots = checked(await ask());
    // Meanwhile others may have been set.
    if (this.#ask !== ask) return { roots: this.current };
    this.#roots = roots;
    this.#notice();
    return { roots: [...roots] };
  }

  #notice(): void {
    if (this.#roots.length > 0) noticeDeprecated('roots', this.#logger);
  }
}

function checked(roots: unknown): readonly Root[] {
  if (!Array.isArray(roots)) throw new ArgumentError('roots must be a list of { uri, name? }');
  return roots.map((root: unknown) => {
    const { uri, name, _meta } = isObject(root) ? root : {};
    if (typeof uri !== 'string' || !isFile(uri))
      throw new ArgumentError(`a root needs a file:// URI, not ${sample(JSON.stringify(uri) ?? 'nothing', 100)}`);
    if (name !== undefined && typeof name !== 'string') throw new ArgumentError('the name of a root must be a string');
    return { uri, ...(name !== undefined && { name }), ...(isObject(_meta) && { _meta }) };
  });
}

function isFile(uri: string): boolean {
  return /^file:\/\//i.test(uri) && URL.canParse(uri);
}
