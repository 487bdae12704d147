/** Every kind of handler with callers of both generations, over every way to them. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isSuspended } from '../../src/base/suspended.ts';
import { spawning } from '../../src/node/spawn.ts';
import { serveHttp } from '../../src/node/http.ts';
import type { HttpServing } from '../../src/node/listening.ts';
import type { Link, Service } from '../../src/ports/index.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { directLink } from '../../src/transport/direct.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { pipeLink } from '../../src/transport/pipe-client.ts';
import { servePipe } from '../../src/transport/pipe-server.ts';
import { inTypeScript, root } from '../support/commands.ts';
import {
  legacyDriver,
  linkOverHttp,
  modernDriver,
  nobody,
  textOf,
  type Answering,
  type Driver,
} from '../support/rounds.ts';
import { kinds, type Expected } from './kinds.ts';
import { kindsServer, type Seen } from './server.ts';

const answering: Answering = ({ key }, times) => {
  if (key === 'no') return { action: 'decline' };
  if (key === 'bad') return { action: 'accept', content: { v: times === 0 ? 5 : 'ok' } };
  return { action: 'accept', content: { v: key } };
};

/** The ways to a server, each opened once for all kinds. */
const ways: Record<string, (inbound: Service) => Link | Promise<Link>> = {
  direct: (inbound) => directLink(kindsServer(), inbound),
  pipe: (inbound) => {
    const [near, far] = memoryPipe();
    servePipe(kindsServer(), far);
    return pipeLink(near, inbound);
  },
  http: async (inbound) => {
    const http: HttpServing = await serveHttp(kindsServer());
    const link = linkOverHttp(http.url, inbound);
    void link.closed.then(() => http.close());
    return link;
  },
  stdio: (inbound) => spawning({ command: inTypeScript('kinds.ts'), cwd: root }, {})(inbound, {}),
};

/**
 * Where the server runs in this process, a suspension that nobody looks at would be taken for a failed test. The
 * function given back lets the runner listen again, and checks that there was nothing but suspensions.
 */
function takeOverRejections(): () => Promise<void> {
  const event = 'unhandledRejection';
  const others = process.listeners(event);
  const unseen: unknown[] = [];
  process.removeAllListeners(event);
  process.on(event, (reason) => unseen.push(reason));
  const restore = (): void => {
    process.removeAllListeners(event);
    for (const listener of others) process.on(event, listener);
  };
  onTestFinished(restore);
  return async () => {
    // The platform tells of a rejection when its turn of the event loop is over.
    await nextTurn();
    expect(unseen.filter((reason) => !isSuspended(reason))).toEqual([]);
  };
}

describe.each(Object.keys(ways))('%s', (way) => {
  describe.each(['modern', 'legacy'] as const)('%s', (generation) => {
    let driver: Driver;
    beforeAll(async () => {
      const open = ways[way] as (inbound: Service) => Link | Promise<Link>;
      driver =
        generation === 'modern' ? modernDriver(await open(nobody), answering) : await legacyDriver(open, answering);
    }, 60_000);
    afterAll(() => driver.link.close());

    for (const [at, kind] of kinds.entries()) {
      test(kind.title, async () => {
        const restore = kind.unseen === true && way !== 'stdio' ? takeOverRejections() : undefined;
        await driver.call('begin');
        const outcome = await driver.call('kind', { at });
        const seen = (await driver.call('seen')).result?.['structuredContent'] as Seen;
        const expected: Expected = kind[generation];
        const { rounds, text, failure, effects = [], warnings = [] } = expected;
        if (rounds !== undefined) expect(outcome.rounds).toEqual(rounds);
        if (failure !== undefined) expect(textOf(outcome)).toMatch(failure);
        else expect(textOf(outcome)).toBe(text);
        expect(outcome.result?.['isError'] === true).toBe(failure !== undefined);
        expect(seen.effects).toEqual(effects);
        expect(seen.warnings.map(String)).toEqual(warnings.map((each) => expect.stringMatching(each) as unknown));
        await restore?.();
      });
    }
  });
});
