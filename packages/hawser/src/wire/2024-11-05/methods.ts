/** Requests from client to server. */
export const methods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
]);

/** What a server may need of a client. */
export const asks: ReadonlySet<string> = new Set(['sampling/createMessage', 'roots/list']);
