/** Pages that are a script of ours: they walk by themselves and tell what came. */
import assert from 'node:assert/strict';
import { bundle } from '../lib/bundle.mjs';
import { servePage } from '../lib/web.mjs';
import { toolNames } from '../server.mjs';

const expected = {
  list: toolNames,
  call: 'echo: héllo',
  progress: [1, 2, 3, 4, 5, 'counted'],
  change: true,
  header: 'eu',
  close: 'closed',
};

/** A client in the page, in one of its modes, that has to agree on `revision`. */
export const client = (id, page, mode, revision) => ({
  id,
  direct: true,
  page: async () => servePage(await bundle(page)),
  walk: async ({ page, server, tab, step }) => {
    await tab.goto(page.origin);
    const steps = await tab.evaluate((url, mode) => globalThis.walk(url, mode), server.url, mode);
    for (const [name, value] of steps) {
      assert.notEqual(name, 'failed', value);
      await step(name, () => assert.deepEqual(value, name === 'connect' ? revision : expected[name], name));
    }
    assert.equal(steps.at(-1)?.[0], 'close');
  },
});

const readable = [
  ['session id', true],
  ['call', 200],
  ['unknown event id', 400],
  ['unknown session', 404, 'Session not found'],
  ['wrong token', 401, 'Bearer realm="mcp"'],
  ['end', 200],
];

/** No client: what a script may read of every answer. */
export const plain = {
  id: 'fetch: answers and errors are readable',
  claims: '[SEED-163 BUG-142]',
  direct: true,
  page: async () => servePage(await bundle('fetch')),
  walk: async ({ page, server, tab, step }) => {
    await tab.goto(page.origin);
    const steps = await tab.evaluate((url) => globalThis.walk(url), server.url);
    for (const [at, each] of readable.entries()) await step(each[0], () => assert.deepEqual(steps[at], each));
    assert.equal(steps.length, readable.length);
  },
};

/** A page that is not allowed: the browser does not even send the call. */
export const stranger = {
  id: 'fetch: a page of another origin is kept out',
  allowed: 'http://localhost:1',
  page: async () => servePage(await bundle('fetch')),
  walk: async ({ page, server, tab, step }) => {
    await tab.goto(page.origin);
    await step('refused', async () => {
      assert.equal(await tab.evaluate((url) => globalThis.knock(url), server.url), 'TypeError');
      assert.deepEqual(
        server.seen.map(({ method, origin }) => [method, origin]),
        [['OPTIONS', page.origin]],
      );
    });
  },
};
