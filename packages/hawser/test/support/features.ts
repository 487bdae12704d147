/** Clients of servers by hand that declare what a test says, in any revision. */
import { isObject, parseJson, type JsonObject } from '../../src/base/json.ts';
import type { Client } from '../../src/client/client.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import type { Revision } from '../../src/model/types.ts';
import type { ScriptedHandler, ScriptedPeer } from '../../src/testing/scripted.ts';
import { wireOf } from '../../src/wire/index.ts';
import { openScripted } from './links.ts';
import { openingOf } from './stdio.ts';

/** What a server declares; undefined: the member is not there at all. */
export type Declared = JsonObject | undefined;

/** A client of a server by hand, over a pipe in memory. */
export async function openDeclaring(
  revision: Revision,
  capabilities: Declared,
  handlers: Readonly<Record<string, ScriptedHandler>> = {},
  options: ConnectOptions = {},
): Promise<{ client: Client; server: ScriptedPeer }> {
  const opening = openingOf(capabilities)[wireOf(revision).facts.era];
  return openScripted({ ...opening, ...handlers }, { protocol: revision, ...options });
}

/** The messages with this method that have come to a server by hand; without a method those of all. */
export function cameTo(server: ScriptedPeer, method?: string): JsonObject[] {
  return server.lines
    .filter(({ direction }) => direction === 'in')
    .map(({ text }) => parseJson(text))
    .filter((message): message is JsonObject => isObject(message) && typeof message['method'] === 'string')
    .filter((message) => method === undefined || message['method'] === method);
}

/** The params of those messages, without what a modern client says of itself with each of them. */
export function paramsTo(server: ScriptedPeer, method: string): JsonObject[] {
  return cameTo(server, method).map(({ params }) => {
    const { _meta: _, ...rest } = isObject(params) ? params : {};
    return rest;
  });
}

/** Methods of the requests that came after the connection was opened. */
export function askedOf(server: ScriptedPeer): string[] {
  const opening = ['server/discover', 'initialize', 'notifications/initialized'];
  return cameTo(server)
    .map(({ method }) => String(method))
    .filter((method) => !opening.includes(method));
}
