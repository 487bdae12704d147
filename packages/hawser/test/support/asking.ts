/** Servers by hand that ask a client of the library for something, in either era. */
import { vi } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { InputRequiredError, type RpcErrorObject } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Revision } from '../../src/model/types.ts';
import type { ScriptedHandler, ScriptedPeer, ScriptedRequest } from '../../src/testing/scripted.ts';
import { begun, described, legacyPeer, said, told, type HttpPeer } from './http-peer.ts';
import { openScripted } from './links.ts';

/** What every server of these tests offers. */
export const offered = { tools: {}, resources: {}, prompts: {} };

/** How a server begins, in the revision the client proposes. */
export const opening = {
  initialize: ({ params }: ScriptedRequest): JsonObject =>
    begun({ protocolVersion: params?.['protocolVersion'], capabilities: offered }),
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

/** The capabilities that a client with these options declares. */
export async function declaredBy(revision: Revision, options: ConnectOptions): Promise<unknown> {
  const { server } = await openAsker(revision, options);
  const { params } = JSON.parse(server.lines[0]?.text ?? '{}') as { params: JsonObject };
  const meta = params['_meta'] as JsonObject | undefined;
  return meta?.['io.modelcontextprotocol/clientCapabilities'] ?? params['capabilities'];
}

/** Answers calls of tools with these results in turn, the last one again and again; gives what came. */
export function answering(
  server: ScriptedPeer,
  ...results: (JsonObject | ((request: ScriptedRequest) => JsonObject))[]
): ScriptedRequest[] {
  const came: ScriptedRequest[] = [];
  const serve = async (): Promise<void> => {
    for (;;) {
      const request = await server.expect('tools/call');
      came.push(request);
      const result = results[Math.min(came.length, results.length) - 1] as (typeof results)[number];
      request.reply(typeof result === 'function' ? result(request) : result);
    }
  };
  serve().catch(() => undefined);
  return came;
}

/** A legacy server over HTTP that asks this within every call, on the call's stream, and gives back what it is answered. */
export function askingPeer(question: JsonObject): Promise<HttpPeer> {
  const peer = legacyPeer({
    handlers: {
      'tools/call': async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', ...question });
        const { seen } = await (await peer).next('response');
        await turn.event(turn.message(told(seen.text)));
        turn.end();
        return turn;
      },
    },
  });
  return peer;
}

/** This module with the library behind it, as in a process that has just begun. */
export function afresh(): Promise<typeof import('./asking.ts')> {
  vi.resetModules();
  return import('./asking.ts');
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
