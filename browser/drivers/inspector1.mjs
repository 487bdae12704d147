/** The Inspector 1.x, whose page can connect by itself ("Direct"). Of its package only the page is used. */
import { fileURLToPath } from 'node:url';
import { click, waitForText } from '../lib/tab.mjs';
import { serveFolder } from '../lib/web.mjs';

const dist = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/inspector-client/dist', import.meta.url));

export const inspector1 = {
  id: 'Inspector 1.0.3, direct',
  claims: '[SEED-166]',
  direct: true,
  page: () => serveFolder(dist),
  walk: async ({ page, server, tab, step }) => {
    await tab.evaluateOnNewDocument(() => localStorage.setItem('lastConnectionType', 'direct'));
    await tab.goto(`${page.origin}/?transport=streamable-http&serverUrl=${encodeURIComponent(server.url)}`);
    await step('connect', async () => {
      await click(tab, 'button', 'Connect');
      await tab.waitForFunction(() => /\bConnected\b/.test(document.body.innerText));
    });
    await step('list', async () => {
      await click(tab, '[role=tab]', 'Tools');
      await click(tab, 'button', 'List Tools');
      await click(tab, 'span', 'echo');
    });
    await step('call', async () => {
      const field = await tab.waitForSelector('textarea#text, input#text');
      await field.type('héllo');
      await click(tab, 'button', 'Run Tool');
      await waitForText(tab, 'echo: héllo');
    });
    await step('close', () => click(tab, 'button', 'Disconnect'));
  },
};
