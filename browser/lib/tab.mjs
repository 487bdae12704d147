/** Tabs of the browser. Each has a context of its own, and nothing in it reaches beyond this machine. */
const loopback = /^(?:https?:\/\/(?:127\.0\.0\.1|localhost)[:/]|data:|blob:)/;

export async function openTab(browser, limitMs = 15_000) {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  tab.setDefaultTimeout(limitMs);
  const said = [];
  tab.on('console', (message) => said.push(`${message.type()}: ${message.text().slice(0, 300)}`));
  tab.on('pageerror', (error) => said.push(`error: ${error.message}`));
  // The Inspector wants fonts from elsewhere.
  await tab.setRequestInterception(true);
  tab.on('request', (request) => void (loopback.test(request.url()) ? request.continue() : request.abort()));
  return { tab, said, close: () => context.close() };
}

/** Waits for the first usable element of `selector` with this text, and clicks it as a person does. */
export async function click(tab, selector, text) {
  await tab.waitForFunction(
    (selector, text) => {
      const named = (element) => element.innerText.trim() === text && !element.disabled;
      const found = [...document.querySelectorAll(selector)].find(named);
      if (found === undefined) return false;
      found.focus();
      // Some of its widgets listen for the pointer, not for the click.
      for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
        const Kind = kind.startsWith('pointer') ? PointerEvent : MouseEvent;
        found.dispatchEvent(new Kind(kind, { bubbles: true, button: 0 }));
      }
      return true;
    },
    {},
    selector,
    text,
  );
}

/** Waits until the page says so. */
export async function waitForText(tab, text) {
  await tab.waitForFunction((text) => document.body.innerText.includes(text), {}, text);
}
