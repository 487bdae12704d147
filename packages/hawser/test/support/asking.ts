/** Servers by hand that ask a client of the library for something, in either era. */
import type { Client } from '../../src/client/client.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { InputRequiredError, type RpcErrorObject } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Revision } from '../../src/model/types.ts';
import type { ScriptedHandler, ScriptedPeer, ScriptedRequest } from '../../src/testing/scripted.ts';
import { described, said } from './http-peer.ts';
import { openScripted } from './links.ts';

/** What every server of these tests offers. */
export const offered = { tools: {}, resources: {}, prompts: {} };

/** How a server begins, in the revision the client proposes. */
export const opening = {
  initialize: ({ params }: ScriptedRequest): JsonObject => ({
    protocolVersion: params?.['protocolVersion'],
    capabilities: offered,
    serverInfo: { name: 'asker', version: '1' },
  }),
  'server/discover': (): JsonObject => ({ ...described, capabilities: offered }),
};

/** A client, and a server by hand that has been begun with. */
export function openAsker(
  revision: Revision,
  options: ConnectOptions = {},
  handlers: Readonly<Record<string, ScriptedHandler>> = {},
): Promise<{ client: Client; server: ScriptedPeer }> {
  return openScripted({ ...opening, ...handlers }, { protocol: revision, ...options });
}

/** A result that is not final. */
export function required(inputRequests?: unknown, requestState?: unknown): JsonObject {
  return {
    resultType: 'input_required',
    ...(inputRequests !== undefined && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** What came of a question. */
export interface Asked {
  /** What the server was answered. */
  answer?: unknown;
  /** What a legacy server was told instead. */
  rpc?: RpcErrorObject;
  /** How the call failed that a modern server asked in. */
  thrown?: InputRequiredError;
  /** All that the client wrote. */
  written: string;
}

/** Has a server ask one question: by a request, or in a round of a call. */
export async function ask(
  revision: Revision,
  options: ConnectOptions,
  method: string,
  params?: JsonObject,
): Promise<Asked> {
  const { client, server } = await openAsker(revision, options);
  const written = (): string =>
    server.lines
      .filter(({ direction }) => direction === 'in')
      .map(({ text }) => text)
      .join('\n');
  if (!client.isModern) {
    const { result, error } = await server.request(method, params);
    return error === undefined
      ? { answer: result, written: written() }
      : { rpc: error as RpcErrorObject, written: written() };
  }
  const calling = client.callTool('t').then(
    () => undefined,
    (error: unknown) => error,
  );
  (await server.expect('tools/call')).reply(required({ q: { method, ...(params && { params }) } }));
  const answered = server.expect('tools/call').then((retry) => {
    retry.reply(said('done'));
    return retry;
  });
  const first = await Promise.race([answered, calling]);
  if (first instanceof InputRequiredError) {
    answered.catch(() => undefined);
    return { thrown: first, written: written() };
  }
  const retry = await answered;
  await calling;
  const responses = retry.params?.['inputResponses'] as JsonObject | undefined;
  return { answer: responses?.['q'], written: written() };
}

/** A logger that keeps what it is told. */
export class Kept implements Logger {
  readonly lines: { level: keyof Logger; message: string; details: unknown }[] = [];

  #keep(level: keyof Logger, message: string, details: unknown): void {
    this.lines.push({ level, message, details });
  }

  debug = (message: string, details?: unknown): void => this.#keep('debug', message, details);
  info = (message: string, details?: unknown): void => this.#keep('info', message, details);
  warn = (message: string, details?: unknown): void => this.#keep('warn', message, details);
  error = (message: string, details?: unknown): void => this.#keep('error', message, details);

  /** Messages of one level. */
  at(level: keyof Logger): string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message);
  }
}
