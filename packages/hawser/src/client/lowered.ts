import { isObject, type JsonObject } from '../base/json.ts';
import { metaKeys } from '../model/meta.ts';
import type { LogLevel, Revision } from '../model/types.ts';
import type { Call } from '../ports/index.ts';

/** The `_meta` that every request of a connection carries, and its JSON text without the closing brace. */
export class ConnectionMeta {
  readonly #base: JsonObject;
  #value: JsonObject;
  #head: string;

  constructor(value: JsonObject) {
    this.#base = this.#value = value;
    this.#head = headOf(value);
  }

  get value(): JsonObject {
    return this.#value;
  }

  get head(): string {
    return this.#head;
  }

  /** From which level on requests ask for log messages, from now on (server/utilities/logging). */
  askForLogs(level: LogLevel): void {
    this.#value = { ...this.#base, [metaKeys.logLevel]: level };
    this.#head = headOf(this.#value);
  }
}

function headOf(value: JsonObject): string {
  return JSON.stringify(value).slice(0, -1);
}

/** A call before it is lowered: what is said, not yet in which revision. */
export interface Request {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly name?: string | undefined;
  readonly mirror?: Readonly<Record<string, string>> | undefined;
}

/**
 * A request lowered for a connection. Most of its `_meta` is the same for all requests, so the text is put together
 * from a part that is made once: writing it anew takes several times as long as all the rest of the text.
 */
export class Lowered implements Call {
  readonly method: string;
  readonly name: string | undefined;
  readonly mirror: Readonly<Record<string, string>> | undefined;
  readonly revision: Revision | undefined;
  readonly #params: JsonObject | undefined;
  readonly #meta: ConnectionMeta | undefined;
  readonly #token: number | undefined;

  constructor(
    { method, name, mirror, params }: Request,
    meta: ConnectionMeta | undefined,
    revision: Revision | undefined,
    token: number | undefined,
  ) {
    this.method = method;
    this.name = name;
    this.mirror = mirror;
    this.revision = revision;
    this.#params = params;
    this.#meta = meta;
    this.#token = token;
  }

  /** With what the revision and the call want in `_meta`; a caller's own entries stay, reserved ones do not. */
  get params(): JsonObject | undefined {
    const own = this.#params?.['_meta'];
    if (this.#meta === undefined && this.#token === undefined) return this.#params;
    const _meta: JsonObject = { ...(isObject(own) ? own : undefined), ...this.#meta?.value };
    // A request may ask for logs of a level of its own.
    if (isObject(own) && own[metaKeys.logLevel] !== undefined) _meta[metaKeys.logLevel] = own[metaKeys.logLevel];
    if (this.#token !== undefined) _meta[metaKeys.progressToken] = this.#token;
    return { ...this.#params, _meta };
  }

  get text(): string {
    const { _meta: own } = this.#params ?? {};
    if (own !== undefined || (this.#meta === undefined && this.#token === undefined))
      return JSON.stringify(this.params ?? {});
    const params = JSON.stringify(this.#params ?? {});
    const rest = params === '{}' ? '{' : `${params.slice(0, -1)},`;
    return `${rest}"_meta":${this.#metaText()}}`;
  }

  #metaText(): string {
    const head = this.#meta?.head ?? '{';
    if (this.#token === undefined) return `${head}}`;
    return `${head}${head === '{' ? '' : ','}"${metaKeys.progressToken}":${this.#token}}`;
  }
}
