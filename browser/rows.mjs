/** Who calls, from a page. */
import { inspector1 } from './drivers/inspector1.mjs';
import { inspector2 } from './drivers/inspector2.mjs';
import { client, plain, stranger } from './drivers/script.mjs';

const legacy = '2025-11-25';
const modern = '2026-07-28';

export const rows = [
  inspector2('legacy', legacy),
  inspector2('modern', modern),
  inspector1,
  client('official client 1.32', 'official1', undefined, legacy),
  client('official client 2.4, legacy', 'official2', 'legacy', legacy),
  client('official client 2.4, modern', 'official2', { pin: modern }, modern),
  client('hawser, legacy', 'hawser', 'legacy', legacy),
  client('hawser, modern', 'hawser', 'modern', modern),
  plain,
  stranger,
];
