export { asks } from '../2025-11-25/methods.ts';

/** Requests from client to server. */
export const methods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
]);

/** Those whose result may ask for input first (basic/patterns/mrtr "Supported Requests"). */
export const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** What `Mcp-Name` repeats ("Standard Request Headers"). */
export const nameParams: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);
