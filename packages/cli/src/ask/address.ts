import { domainToUnicode } from 'node:url';
import { oneLine } from '../text.ts';

/** An address a server wants a person to go to, taken apart for showing it. */
export interface Address {
  /** Exactly what would be opened; only visible ASCII. */
  readonly href: string;
  /** What stands before the host, the host with its port, and what follows: together the address. */
  readonly parts: readonly [before: string, host: string, after: string];
  /** What a person should know before saying yes. */
  readonly warnings: readonly string[];
  /** Only http and https are opened. */
  readonly canOpen: boolean;
}

/**
 * Looks at an address without asking the network (MCP 2026-07-28, client/elicitation "Safe URL Handling"): the host set
 * apart, and what may deceive.
 *
 * @returns undefined for what is no URL
 */
export function lookAt(text: string): Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const canOpen = url.protocol === 'http:' || url.protocol === 'https:';
  // Web addresses are ASCII once parsed; others may hold anything.
  const href = canOpen ? url.href : oneLine(url.href);
  const from = url.host === '' ? -1 : href.indexOf(url.host, href.indexOf('//') + 2 + userInfoLength(url));
  const parts: Address['parts'] =
    from === -1 ? [href, '', ''] : [href.slice(0, from), url.host, href.slice(from + url.host.length)];
  return { href, parts, warnings: warningsFor(url, canOpen), canOpen };
}

function userInfoLength(url: URL): number {
  if (url.username === '' && url.password === '') return 0;
  return url.username.length + (url.password === '' ? 0 : url.password.length + 1) + 1;
}

function warningsFor(url: URL, canOpen: boolean): string[] {
  const warnings: string[] = [];
  if (!canOpen) {
    return [`this is no web address (${oneLine(url.protocol)}): hawser does not open it`];
  }
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) {
    const shown = oneLine(domainToUnicode(url.hostname));
    warnings.push(`the host has letters beyond ASCII and may only look familiar: it reads "${shown}" (Punycode)`);
  }
  if (url.username !== '' || url.password !== '') {
    warnings.push(`what stands before the @ is no host: the page is at ${url.host}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    warnings.push('the connection is not encrypted (http): others can read and change what you do there');
  }
  return warnings;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
