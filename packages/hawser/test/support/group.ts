/** Groups of servers by hand, joined by pipes in memory. */
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { connectOn } from '../../src/client/connect.ts';
import { clientGroupOn, type ClientGroup, type GroupOptions } from '../../src/client/group.ts';
import { scriptedServer, type ScriptedHandler, type ScriptedPeer } from '../../src/testing/scripted.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { pipeLink } from '../../src/transport/pipe-client.ts';
import { openingOf } from './stdio.ts';

/** A server by hand: what it lists may be changed at any time, and each start of it is a peer. */
export class HandServer {
  readonly era: 'modern' | 'legacy';
  tools: readonly string[] = [];
  prompts: readonly string[] = [];
  resources: readonly string[] = [];
  templates: readonly string[] = [];
  /** Wins over what is answered otherwise. */
  readonly handlers: Record<string, ScriptedHandler> = {};
  readonly peers: ScriptedPeer[] = [];
  /** Thrown when it is started. */
  broken: Error | undefined;
  readonly #name: string;

  constructor(name: string, era: HandServer['era']) {
    this.#name = name;
    this.era = era;
  }

  /** The peer of the last start. */
  get peer(): ScriptedPeer {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error(`${this.#name} was not started`);
    return peer;
  }

  /** The methods of all requests and notices that have come. */
  get methods(): string[] {
    return this.peers.flatMap(({ lines }) =>
      lines.flatMap(({ direction, text }) => {
        const { method } = JSON.parse(text) as { method?: string };
        return direction === 'in' && method !== undefined ? [method] : [];
      }),
    );
  }

  count(method: string): number {
    return this.methods.filter((each) => each === method).length;
  }

  /** Tells of a changed list unasked, as legacy servers do. */
  changed(kind: 'tools' | 'prompts' | 'resources'): void {
    this.peer.notify(`notifications/${kind}/list_changed`);
  }

  get answers(): Readonly<Record<string, ScriptedHandler>> {
    const capabilities = {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    };
    const page = (entries: JsonObject): JsonObject => ({
      ...(this.era === 'modern' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
      ...entries,
    });
    const own: Record<string, ScriptedHandler> = {
      ...openingOf(capabilities, this.#name)[this.era],
      'tools/list': () => page({ tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
      'prompts/list': () => page({ prompts: this.prompts.map((name) => ({ name })) }),
      'resources/list': () => page({ resources: this.resources.map((uri) => ({ uri, name: uri })) }),
      'resources/templates/list': () =>
        page({ resourceTemplates: this.templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })) }),
      'tools/call': ({ params }) =>
        page({ content: [{ type: 'text', text: `${this.#name}:${String(params?.['name'])}` }] }),
      'prompts/get': ({ params }) =>
        page({
          messages: [{ role: 'user', content: { type: 'text', text: `${this.#name}:${String(params?.['name'])}` } }],
        }),
      'resources/read': ({ params }) =>
        page({ contents: [{ uri: String(params?.['uri']), text: `${this.#name}:${String(params?.['uri'])}` }] }),
      'resources/subscribe': () => ({}),
      'resources/unsubscribe': () => ({}),
    };
    const names = new Set([...Object.keys(own), ...Object.keys(this.handlers)]);
    // Looked up at each request, so that a test can replace an answer under way.
    return Object.fromEntries(
      [...names].map((method) => [method, (request) => (this.handlers[method] ?? own[method])?.(request)]),
    );
  }
}

/** A group that can be begun; it is closed when the test is over. */
export interface HandGroup<Name extends string> {
  readonly servers: Readonly<Record<Name, HandServer>>;
  open(options?: GroupOptions): Promise<ClientGroup>;
}

/** Servers by hand, each with its era, for a group of them. */
export function handServers<Name extends string>(eras: Readonly<Record<Name, HandServer['era']>>): HandGroup<Name> {
  const names = Object.keys(eras) as Name[];
  const servers = Object.fromEntries(names.map((name) => [name, new HandServer(name, eras[name])])) as Record<
    Name,
    HandServer
  >;
  const connect = connectOn({
    spawn: ({ command: [name] }) => {
      const server = servers[name as Name];
      return (inbound) => {
        if (server.broken !== undefined) return Promise.reject(server.broken);
        const [near, far] = memoryPipe();
        server.peers.push(scriptedServer(far, server.answers));
        return Promise.resolve(pipeLink(near, inbound));
      };
    },
  });
  const targets = Object.fromEntries(names.map((name) => [name, { command: [name] as [string] }]));
  return {
    servers,
    open: async (options) => {
      const group = await clientGroupOn(connect)(targets, options);
      onTestFinished(() => group.close());
      return group;
    },
  };
}
