/** What travels with a round trip, in a form that nobody but this server can read or change. */
import { fromBase64Url, toBase64Url } from '../../../base/base64.ts';
import type { Clock } from '../../../base/clock.ts';
import { isObject, parseJson, type JsonObject } from '../../../base/json.ts';
import type { KeyRing } from './keys.ts';

/** Longest sealed text, in characters. */
export const maxStateChars = 65_536;

const version = 1;
const headBytes = 5;
const ivBytes = 12;
const tagBytes = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Why a sealed text was not opened; for our log, never for the caller. */
export class UnsealError extends Error {}

/** It was sealed here for this very purpose, and is too old. */
export class ExpiredError extends UnsealError {}

/**
 * Seals by AES-256-GCM. Whom and what a text is for is authenticated along with it, so a text of another caller, call
 * or version looks like any other forgery.
 *
 * The text is base64url of: version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
 */
export class Sealer {
  readonly #keys: KeyRing;
  readonly #ttlMs: number;
  readonly #clock: Clock;

  constructor(keys: KeyRing, ttlMs: number, clock: Clock) {
    this.#keys = keys;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
  }

  /** @returns undefined when it would be longer than {@link maxStateChars} */
  async seal(content: JsonObject, binding: string): Promise<string | undefined> {
    const plain = encoder.encode(JSON.stringify({ content, expires: this.#clock.wall() + this.#ttlMs }));
    if (sealedLength(plain.length) > maxStateChars) return undefined;
    const { id, key } = await this.#keys.sealing();
    const sealed = new Uint8Array(headBytes + ivBytes + plain.length + tagBytes);
    sealed[0] = version;
    sealed.set(id, 1);
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    sealed.set(iv, headBytes);
    const additionalData = associated(sealed, binding);
    const cipher = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plain);
    sealed.set(new Uint8Array(cipher), headBytes + ivBytes);
    return toBase64Url(sealed);
  }

  /** @throws UnsealError for anything that was not sealed here for this very purpose, ExpiredError for what is too old */
  async open(state: unknown, binding: string): Promise<JsonObject> {
    if (typeof state !== 'string' || state.length > maxStateChars) throw new UnsealError('not a sealed text');
    const sealed = fromBase64Url(state);
    if (sealed === undefined || sealed.length < headBytes + ivBytes + tagBytes || sealed[0] !== version)
      throw new UnsealError('not a sealed text');
    const key = await this.#keys.named(sealed.subarray(1, headBytes));
    if (key === undefined) throw new UnsealError('sealed with a key that is not known here');
    const iv = sealed.subarray(headBytes, headBytes + ivBytes);
    const additionalData = associated(sealed, binding);
    let plain: ArrayBuffer;
    try {
      const cipher = sealed.subarray(headBytes + ivBytes);
      plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, cipher);
    } catch {
      throw new UnsealError('changed, or sealed for another caller, call or version');
    }
    const opened = parseJson(decoder.decode(plain));
    const { content, expires } = isObject(opened) ? opened : {};
    if (!isObject(content) || typeof expires !== 'number') throw new UnsealError('not a sealed text');
    if (expires <= this.#clock.wall()) throw new ExpiredError('too old');
    return content;
  }
}

function associated(sealed: Uint8Array, binding: string): Uint8Array<ArrayBuffer> {
  const bound = encoder.encode(binding);
  const all = new Uint8Array(headBytes + bound.length);
  all.set(sealed.subarray(0, headBytes));
  all.set(bound, headBytes);
  return all;
}

function sealedLength(plainBytes: number): number {
  return Math.ceil(((headBytes + ivBytes + plainBytes + tagBytes) * 4) / 3);
}
