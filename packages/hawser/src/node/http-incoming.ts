import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { bodyBrokeOff, bodyNotUtf8, bodyTooLarge } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { HttpIncoming } from '../transport/http-types.ts';

const bodyTaken = new Refusal(
  500,
  errorCodes.internal,
  'the body was read before it came here: mount the handler ahead of body parsers',
);

/** A request of `node:http`. */
export class NodeIncoming implements HttpIncoming {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  /** One chunk is the common case, and needs no joining; text is decoded once, so no character is ever cut. */
  text(maxBytes: number): Promise<string | Refusal> {
    const request = this.#request;
    if (request.readableEnded) return Promise.resolve(bodyTaken);
    if (request.destroyed) return Promise.resolve(bodyBrokeOff);
    return new Promise((resolve) => {
      let first: Buffer | undefined;
      let chunks: Buffer[] | undefined;
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          request.pause();
          request.removeAllListeners('data');
          resolve(bodyTooLarge);
        } else if (first === undefined) first = chunk;
        else (chunks ??= [first]).push(chunk);
      });
      request.on('end', () => {
        const body = chunks === undefined ? first : Buffer.concat(chunks, size);
        if (body === undefined) resolve('');
        else resolve(isUtf8(body) ? body.toString('utf8') : bodyNotUtf8);
      });
      request.on('error', () => resolve(bodyBrokeOff));
    });
  }
}
