/** The Inspector 2.x. Its page talks to a process of its own, which talks to the server: no CORS here. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNodeForInspector } from '../lib/find.mjs';
import { click, waitForText } from '../lib/tab.mjs';

const launcher = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return String(port);
}

/** Starts it with a home of its own; resolves with the address of its page. */
async function launch(url, era) {
  const home = mkdtempSync(join(tmpdir(), 'inspector-'));
  const child = spawn(
    findNodeForInspector(),
    [launcher, '--web', '--server-url', url, '--transport', 'http', '--protocol-era', era],
    {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        MCP_STORAGE_DIR: home,
        MCP_AUTO_OPEN_ENABLED: 'false',
        MCP_INSPECTOR_SECRET_STORE: 'memory',
        CLIENT_PORT: await freePort(),
        MCP_SANDBOX_PORT: await freePort(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(home, { recursive: true, force: true });
  };
  let printed = '';
  const address = new Promise((resolve, reject) => {
    const look = (chunk) => {
      printed += chunk;
      const found = /http:\/\/\S*MCP_INSPECTOR_API_TOKEN=\w+/.exec(printed);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`the Inspector ended: ${printed.slice(-500)}`)));
    setTimeout(() => reject(new Error(`the Inspector does not start: ${printed.slice(-500)}`)), 20_000).unref();
  });
  try {
    return { address: await address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs in the page. It takes no clicks before its script is ready, and does not say when: clicks until it tries. */
function connected() {
  if (document.querySelector('button[aria-label="Disconnect from server"]') !== null) return true;
  const toggle = document.querySelector('input[aria-label^="Connect or disconnect"]');
  if (toggle !== null && /^Disconnected$/m.test(document.body.innerText)) toggle.click();
  return false;
}

const tools = '[data-testid="tools-screen"]';

/** In one of its eras, which has to end in `revision`. */
export const inspector2 = (era, revision) => ({
  id: `Inspector 2.12, ${era}`,
  claims: '[SEED-166]',
  walk: async ({ server, tab, step }) => {
    const inspector = await launch(server.url, era);
    try {
      await tab.goto(inspector.address);
      await step('connect', async () => {
        await tab.waitForFunction(connected, { polling: 100 });
        const shown = await tab.$eval('body', (body) => /MCP (\d{4}-\d\d-\d\d)/.exec(body.innerText)?.[1]);
        assert.equal(shown, revision);
      });
      await step('list', async () => {
        const choice = await tab.waitForSelector('input[type=radio][id$="-Tools"]');
        await choice.evaluate((input) => input.click());
        await click(tab, `${tools} button`, 'echo');
      });
      await step('call', async () => {
        const after = '::-p-xpath(.//label[contains(., "text")]/following::*[self::input or self::textarea][1])';
        const field = await tab.waitForSelector(`${tools} ${after}`);
        await field.type('héllo');
        await click(tab, `${tools} button`, 'Execute Tool');
        await waitForText(tab, 'echo: héllo');
      });
      await step('close', async () => {
        await tab.$eval('button[aria-label="Disconnect from server"]', (button) => button.click());
        await tab.waitForSelector('button[aria-label="Disconnect from server"]', { hidden: true });
      });
    } finally {
      await inspector.stop();
    }
  },
});
