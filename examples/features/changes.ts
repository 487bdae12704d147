// Changes: a client hears that a list or a resource has changed. Modern clients listen for what they name; legacy
// clients are told in their session.
import { once } from 'node:events';
import { connect } from 'hawser';
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';

let depth = 12;
const server = new Server({ name: 'sonar', version: '1.0.0' });
server.resource('sonar://depth', { name: 'depth' }, () => `${depth} m`);
const http = await serveHttp(server);

function change(): void {
  depth += 1;
  server.changed.resource('sonar://depth');
}

// The modern way.
const told = new EventTarget();
const onNotification = ({ method }: { method: string }): boolean => told.dispatchEvent(new Event(method));
const updated = (): Promise<unknown> => once(told, 'notifications/resources/updated');
const listed = (): Promise<unknown> => once(told, 'notifications/tools/list_changed');

const modern = await connect(http.url, { protocol: 'modern' });
const subscription = await modern.listen(
  { toolsListChanged: true, resourceSubscriptions: ['sonar://depth'] },
  { onNotification },
);

let news = updated();
change();
await news;
console.log('modern: the resource is now', (await modern.readResource('sonar://depth')).text);

news = listed();
server.tool('ping', {}, () => 'ping');
await news;
console.log('modern: the tools are now', (await modern.listTools()).map(({ name }) => name).join());

await subscription.close();
await modern.close();

// The legacy way.
const legacy = await connect(http.url, { protocol: 'legacy', onNotification });
await legacy.subscribeResource('sonar://depth');

news = updated();
change();
await news;
console.log('legacy: the resource is now', (await legacy.readResource('sonar://depth')).text);

news = listed();
server.removeTool('ping');
await news;
console.log('legacy: there are now', (await legacy.listTools()).length, 'tools');

await legacy.close();
await http.close();
console.log('ok: both generations heard of the changes');

// Prints:
//   modern: the resource is now 13 m
//   modern: the tools are now ping
//   legacy: the resource is now 14 m
//   legacy: there are now 0 tools
//   ok: both generations heard of the changes
