import { ArgumentError } from '../../../base/errors.ts';
import { toBase64Url } from '../../../base/base64.ts';

/** A key with the name under which sealed texts refer to it. */
export interface SealKey {
  /** 4 bytes. */
  readonly id: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

const minSecretBytes = 16;
const encoder = new TextEncoder();

/** The keys of a server, derived from its secrets on first use and kept. */
export class KeyRing {
  readonly #secrets: readonly Uint8Array<ArrayBuffer>[] | undefined;
  #keys: Promise<readonly SealKey[]> | undefined;

  /**
   * @param secrets the first one seals; without any, one random key is made on first use
   * @throws ArgumentError for no secrets, or short ones
   */
  constructor(secrets: readonly (string | Uint8Array)[] | undefined) {
    if (secrets !== undefined && !Array.isArray(secrets)) throw new ArgumentError('stateKeys is a list of secrets');
    this.#secrets = secrets?.map((secret: unknown) => bytesOf(secret));
    if (this.#secrets?.length === 0) throw new ArgumentError('stateKeys is empty: leave it out for a random key');
    for (const { length } of this.#secrets ?? [])
      if (length < minSecretBytes)
        throw new ArgumentError(`a secret in stateKeys has ${length} bytes; at least ${minSecretBytes} are needed`);
  }

  /** Whether other processes cannot have the key. */
  get ofThisProcess(): boolean {
    return this.#secrets === undefined;
  }

  async sealing(): Promise<SealKey> {
    const [first] = await this.#all();
    return first as SealKey;
  }

  async named(id: Uint8Array): Promise<CryptoKey | undefined> {
    const name = toBase64Url(id);
    const keys = await this.#all();
    return keys.find((key) => toBase64Url(key.id) === name)?.key;
  }

  #all(): Promise<readonly SealKey[]> {
    return (this.#keys ??= Promise.all((this.#secrets ?? [crypto.getRandomValues(new Uint8Array(32))]).map(derived)));
  }
}

/** A copy, so that nobody changes it later. */
function bytesOf(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret === 'string') return encoder.encode(secret);
  if (secret instanceof Uint8Array) return new Uint8Array(secret);
  throw new ArgumentError('stateKeys: a secret is a string or a Uint8Array');
}

async function derived(secret: Uint8Array<ArrayBuffer>): Promise<SealKey> {
  const { subtle } = crypto;
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const hkdf = (info: string): HkdfParams => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: encoder.encode(info),
  });
  const aes = { name: 'AES-GCM', length: 256 };
  const [key, id] = await Promise.all([
    subtle.deriveKey(hkdf('hawser requestState 1 key'), material, aes, false, ['encrypt', 'decrypt']),
    subtle.deriveBits(hkdf('hawser requestState 1 id'), material, 32),
  ]);
  return { id: new Uint8Array(id), key };
}
