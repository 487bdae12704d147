import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InvalidResponseError, TransportError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';

/** Where decoded bytes go. */
export interface Decoded {
  chunk(bytes: Uint8Array): void;
  ended(): void;
  failed(error: Error): void;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Takes a content encoding off (RFC 9110, section 8.4), chunk by chunk, so that a stream comes through as it is
 * flushed and a small body that grows without end can be given up in the middle.
 *
 * @returns undefined when there is nothing to take off
 */
export function decoder(encoding: string | undefined, decoded: Decoded): Transform | undefined {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity') return undefined;
  const make = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (make === undefined)
    throw new InvalidResponseError(`the response is encoded in an unknown way: ${sample(name, 60)}`);
  const stream = make();
  stream.on('data', (bytes: Buffer) => decoded.chunk(bytes));
  stream.on('end', () => decoded.ended());
  stream.on('error', (cause) =>
    decoded.failed(new TransportError(`the response cannot be decoded: ${cause.message}`, { cause })),
  );
  return stream;
}
