/** What a server tells of changes that it does not make itself, here and in other processes, and who watches. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { Revision } from '../../src/model/types.ts';
import type { Note } from '../../src/ports/index.ts';
import { memoryBus } from '../../src/server/memory-bus.ts';
import type { ServerOptions } from '../../src/server/options.ts';
import { Server } from '../../src/server/server.ts';
import { ServerSession } from '../../src/server/session.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { nextTurn, settle } from '../../src/testing/settle.ts';
import { gate, metaOf } from '../support/http.ts';
import { exchangeWith } from '../support/rounds.ts';
import { everyLink, openLink, standingLinks, type LinkName } from '../support/links.ts';

const over = [
  ...everyLink({ revisions: ['2026-07-28'] }),
  ...everyLink({ links: standingLinks, revisions: ['2024-11-05', '2025-11-25'] }),
];

function changing(options: Partial<ServerOptions> = {}): Server {
  return new Server({ name: 's', version: '1', ...options })
    .resource('x:a', { name: 'a' }, () => 'a')
    .prompt('p', {}, () => 'p');
}

/** Takes one notice after the other. */
class Ear {
  readonly #heard: string[] = [];
  #next: { readonly opened: Promise<void>; open(value: void): void } | undefined;

  readonly take = ({ method, params }: Note): void => {
    const what = method.replace('notifications/', '');
    const uri = params?.['uri'];
    this.#heard.push(typeof uri === 'string' ? `${what} ${uri}` : what);
    this.#next?.open();
  };

  /** The notices so far, from when there are so many of them. */
  async first(count: number): Promise<string[]> {
    while (this.#heard.length < count) {
      this.#next = gate();
      await this.#next.opened;
    }
    return this.#heard.slice();
  }
}

interface Watching {
  readonly client: Client;
  readonly ear: Ear;
  /** Watches no more. */
  leave(): Promise<void>;
}

/** A client that is told of all lists, and of some resources, in the way of its revision. */
async function watch(link: LinkName, revision: Revision, server: Server, uris: string[]): Promise<Watching> {
  const ear = new Ear();
  const client = await openLink(link, revision, server, { onNotification: ear.take });
  if (client.isModern) {
    const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const subscription = await client.listen({ ...lists, resourceSubscriptions: uris }, { onNotification: ear.take });
    return { client, ear, leave: () => subscription.close() };
  }
  for (const uri of uris) await client.subscribeResource(uri);
  return {
    client,
    ear,
    leave: async () => {
      for (const uri of uris) await client.unsubscribeResource(uri);
    },
  };
}

/** The hook, and what it was called with. */
function watches() {
  const signals = new Map<string, AbortSignal>();
  let came = gate<string>();
  return {
    signals,
    /** The next resource that somebody begins to watch. */
    next: () => came.opened,
    onWatch: (uri: string, { signal }: { signal: AbortSignal }): void => {
      signals.set(uri, signal);
      came.open(uri);
      came = gate();
    },
  };
}

describe('server.changed', () => {
  test.each(over)(
    'tells of each kind, and what is told several times once ($link, $revision)',
    async ({ link, revision }) => {
      const { onWatch, next } = watches();
      const server = changing({ onWatch });
      // A session's own stream may be opened after the subscription.
      const watched = next();
      const { ear } = await watch(link, revision, server, ['x:a']);
      await watched;
      const { changed } = server;
      for (let time = 0; time < 200; time++) {
        changed.tools();
        changed.prompts();
        changed.resources();
      }
      await ear.first(3);
      changed.resource('x:b');
      changed.resource('x:a');
      expect((await ear.first(4)).toSorted()).toEqual([
        'prompts/list_changed',
        'resources/list_changed',
        'resources/updated x:a',
        'tools/list_changed',
      ]);
    },
  );

  test('refuses what is no URI', () => {
    const { changed } = changing();
    for (const uri of ['nothing', '', ' x:a', 5, undefined])
      expect(() => changed.resource(uri as string)).toThrow('changed.resource');
  });
});

describe('onWatch', () => {
  test.each(over)(
    'is told of the first who watches a resource and of the last ($link, $revision)',
    async ({ link, revision }) => {
      const { onWatch, signals, next } = watches();
      const server = changing({ onWatch });
      let watched = next();
      const first = await watch(link, revision, server, ['x:a']);
      expect(await watched).toBe('x:a');
      watched = next();
      const second = await watch(link, revision, server, ['x:a', 'x:b']);
      expect(await watched).toBe('x:b');
      const [a, b] = [signals.get('x:a') as AbortSignal, signals.get('x:b') as AbortSignal];
      const ended = (signal: AbortSignal): Promise<void> =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
      const bEnded = ended(b);
      await second.leave();
      await bEnded;
      expect(a.aborted).toBe(false);
      const aEnded = ended(a);
      // One that goes without a word is gone as well.
      await first.client.close();
      await aEnded;
    },
  );

  test('may tell of a change at once: what a listener hears first is that it listens', async () => {
    const server: Server = changing({ onWatch: (uri) => server.changed.resource(uri) });
    const notes: string[] = [];
    const client = await openLink('pipe', '2026-07-28', server);
    const told = gate();
    const subscription = await client.listen(
      { resourceSubscriptions: ['x:a'] },
      {
        onNotification: ({ method }) => {
          notes.push(method);
          told.open();
        },
      },
    );
    await told.opened;
    expect(notes).toEqual(['notifications/resources/updated']);
    await subscription.close();
  });

  test('ends for all when the server closes', async () => {
    const { onWatch, signals, next } = watches();
    const server = changing({ onWatch });
    const watched = next();
    await watch('direct', '2026-07-28', server, ['x:a']);
    await watched;
    await server.close();
    await nextTurn();
    expect([...signals.values()].map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('a bus', () => {
  test.each(over)(
    'brings what other processes tell, and does not repeat it ($link, $revision)',
    async ({ link, revision }) => {
      const bus = memoryBus();
      const { onWatch, next } = watches();
      const [here, there] = [changing({ bus, onWatch }), changing({ bus })];
      const other = changing({ bus, name: 'another' });
      // What they tell of their beginnings is over.
      await nextTurn();
      const watched = next();
      const { ear } = await watch(link, revision, here, ['x:a']);
      await watched;
      other.changed.tools();
      there.changed.resource('x:a');
      expect(await ear.first(1)).toEqual(['resources/updated x:a']);
      there.tool('t', {}, () => 't');
      expect(await ear.first(2)).toEqual(['resources/updated x:a', 'tools/list_changed']);
      here.changed.prompts();
      await ear.first(3);
      there.changed.resource('x:a');
      expect((await ear.first(4)).slice(2)).toEqual(['prompts/list_changed', 'resources/updated x:a']);
    },
  );

  test('that does not answer costs a legacy session nothing of what this process tells', async () => {
    const server = changing({ bus: { publish: async () => undefined, subscribe: () => new Promise(() => undefined) } });
    await nextTurn();
    const sent: unknown[] = [];
    const session = new ServerSession({ send: ({ method }) => void sent.push(method) });
    const clientInfo = { name: 'c', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await server.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }, { session });
    await server.handle({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session });
    await server.handle({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: 'x:a' } }, { session });
    server.changed.resource('x:a');
    expect(session.notify('notifications/mine')).toBe(true);
    expect(sent).toEqual(['notifications/resources/updated', 'notifications/mine']);
    session.close();
  });

  test('that answers after the caller has gone finds nobody who watches', async () => {
    const answered = gate<() => Promise<void>>();
    const watched: AbortSignal[] = [];
    const server = changing({
      bus: { publish: async () => undefined, subscribe: () => answered.opened },
      onWatch: (_, { signal }) => void watched.push(signal),
    });
    const gone = new AbortController();
    const sent: unknown[] = [];
    const params = { notifications: { resourceSubscriptions: ['x:a'] }, _meta: metaOf() };
    const over = server.handle(
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      { signal: gone.signal, send: (message) => sent.push(message) },
    );
    gone.abort();
    expect(await over).toBeUndefined();
    answered.open(async () => undefined);
    await settle();
    expect([watched.filter((signal) => !signal.aborted), sent]).toEqual([[], []]);
  });

  test('is left when nobody listens any more', async () => {
    const bus = memoryBus();
    let open = 0;
    const server = changing({
      bus: {
        publish: bus.publish,
        subscribe: async (topic, receive) => {
          open++;
          const leave = await bus.subscribe(topic, receive);
          return () => {
            open--;
            return leave();
          };
        },
      },
    });
    onTestFinished(() => server.close());
    expect(open).toBe(0);
    const first = await watch('direct', '2026-07-28', server, ['x:a']);
    const second = await watch('direct', '2026-07-28', server, []);
    expect(open).toBe(1);
    await first.leave();
    await nextTurn();
    expect(open).toBe(1);
    await second.leave();
    await nextTurn();
    expect(open).toBe(0);
    await watch('direct', '2026-07-28', server, []);
    expect(open).toBe(1);
    await server.close();
    await nextTurn();
    expect(open).toBe(0);
  });

  test('that has not answered yet keeps a listener waiting, who has a place and ends with the server', async () => {
    const answered = gate();
    const server = changing({
      maxSubscriptions: 1,
      bus: {
        publish: () => Promise.resolve(),
        subscribe: async () => {
          await answered.opened;
          return () => Promise.resolve();
        },
      },
    });
    const told: string[] = [];
    const listen = (id: number) =>
      server.answer(
        { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } },
        {
          ...exchangeWith({ revision: '2026-07-28', capabilities: {} }),
          id,
          emit: ({ method }) => told.push(method) > 0,
        },
      );
    const waiting = [listen(1), listen(2)] as const;
    expect(await waiting[1]).toMatchObject({ status: 503 });
    server.changed.tools();
    await nextTurn();
    expect(told).toEqual([]);
    answered.open();
    await nextTurn();
    // What came meanwhile comes after the acknowledgement.
    expect(told).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
    await server.close();
    expect(await waiting[0]).toMatchObject({ result: { resultType: 'complete' } });
  });

  test('is not troubled by who is refused, and is waited for once', async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const subscribe = (): Promise<never> => {
      asked++;
      return new Promise(() => undefined);
    };
    const server = changing({ clock, maxSubscriptions: 2, bus: { publish: () => Promise.resolve(), subscribe } });
    onTestFinished(() => server.close());
    const told: unknown[] = [];
    const listen = (id: number, notifications: unknown) =>
      server.answer(
        { method: 'subscriptions/listen', params: { notifications } },
        { ...exchangeWith({ revision: '2026-07-28', capabilities: {} }), id, emit: () => told.push(id) > 0 },
      );
    expect(await listen(0, 'tools')).toMatchObject({ error: { code: -32602 } });
    expect(asked).toBe(0);
    void listen(1, {});
    await clock.advance(5_000);
    expect([asked, told]).toEqual([1, [1]]);
    // Nobody who comes later waits for a bus that is known not to answer.
    void listen(2, {});
    await nextTurn();
    expect([asked, told, clock.pending]).toEqual([1, [1, 2], 0]);
    expect(await listen(3, {})).toMatchObject({ status: 503 });
  });

  test('that never answers keeps nobody from the end', async () => {
    const never = new Promise<never>(() => undefined);
    const server = changing({ bus: { publish: () => never, subscribe: () => never } });
    const told: string[] = [];
    const listening = server.answer(
      { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } },
      { ...exchangeWith({ revision: '2026-07-28', capabilities: {} }), emit: ({ method }) => told.push(method) > 0 },
    );
    await server.close();
    expect(await listening).toMatchObject({ result: { resultType: 'complete' } });
    expect(told).toEqual([]);
  });
});
