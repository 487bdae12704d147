import { expect, test } from 'vitest';
import { openerOf } from '../src/open-url.ts';

const href = 'https://host/?a=1&b=$(touch%20x)';

test.each<[NodeJS.Platform, readonly string[]]>([
  ['linux', ['xdg-open', href]],
  ['darwin', ['open', href]],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', href]],
])('[ELI-016] on %s the address is one argument, and no shell has a part in it', (platform, command) => {
  expect(openerOf(platform, href)).toEqual(command);
});
