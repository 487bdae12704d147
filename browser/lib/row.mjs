/** Runs one row: a tab, a server, and the steps that passed. */
import assert from 'node:assert/strict';
import { serveFor } from '../server.mjs';
import { openTab } from './tab.mjs';

/**
 * A row is `{ id, page, walk, direct }`: `page()` serves what the browser opens and gives `{ origin, close }`, or
 * undefined when the Inspector serves itself; `walk` drives it. `direct`: the browser itself calls the server, and ends
 * what it has begun. `claims`: the requirements that it shows, such as `[SEED-166]`.
 */
export async function runRow(row, browser) {
  const passed = [];
  const opened = [];
  const from = performance.now();
  let said = [];
  const step = async (name, run) => {
    const value = await run();
    passed.push(name);
    return value;
  };
  const outcome = (error) => ({
    id: row.id,
    claims: row.claims,
    passed,
    error,
    said,
    seconds: (performance.now() - from) / 1000,
  });
  try {
    const page = await row.page?.();
    if (page !== undefined) opened.push(page);
    const server = await serveFor(row.allowed ?? page?.origin ?? 'http://localhost');
    opened.push(server);
    const view = await openTab(browser);
    opened.push(view);
    ({ said } = view);
    await row.walk({ page, server, tab: view.tab, step });
    if (row.direct) {
      await step('cross-origin', () => wasCrossOrigin(server.seen, page.origin));
      await step('nothing left', () => nothingLeft(server));
    }
    return outcome(undefined);
  } catch (error) {
    return outcome(error);
  } finally {
    for (const each of opened.toReversed()) await each.close();
  }
}

/** The page itself has called: every request bears its origin, and the browser has asked for permission first. */
function wasCrossOrigin(seen, origin) {
  assert.deepEqual([...new Set(seen.map((request) => request.origin))], [origin]);
  assert.equal(seen[0]?.method, 'OPTIONS');
  assert.ok(
    seen.some(({ method }) => method === 'POST'),
    'no call came',
  );
}

/** Closing goes on for a moment after the page has said goodbye. */
async function nothingLeft(server) {
  const end = performance.now() + 5_000;
  const empty = () => Object.values(server.open).every((count) => count === 0);
  while (!empty() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual({ ...server.open }, { sessions: 0, streams: 0, calls: 0, kept: 0 });
}
