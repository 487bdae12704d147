// Watching: a server looks for changes only while somebody wants to hear of them, and processes that serve the same tell
// each other by a bus. Here two servers in one process stand for two processes.
import { once } from 'node:events';
import { connect } from 'hawser';
import { memoryBus, Server } from 'hawser/server';

const sensor = new EventTarget(); // whatever knows about changes: a file watcher, a queue, a database
const bus = memoryBus(); // between processes: one over Redis, NATS or what you have

function weatherServer(name: string): Server {
  const server: Server = new Server({
    name: 'weather',
    version: '1.0.0',
    bus,
    onWatch(uri, { signal }) {
      console.log(`${name}: somebody watches ${uri}`);
      sensor.addEventListener('changed', () => server.changed.resource(uri), { signal });
      signal.addEventListener('abort', () => {
        console.log(`${name}: nobody watches ${uri} any more`);
        sensor.dispatchEvent(new Event('idle'));
      });
    },
  });
  return server.resource('weather://bergen', { name: 'bergen' }, () => 'rain');
}

const [one, two] = [weatherServer('one'), weatherServer('two')];
const client = await connect(one);
const told = new EventTarget();
const subscription = await client.listen(
  { resourceSubscriptions: ['weather://bergen'] },
  { onNotification: ({ params }) => told.dispatchEvent(new Event(String(params?.['uri']))) },
);

let news = once(told, 'weather://bergen');
sensor.dispatchEvent(new Event('changed'));
await news;
console.log('told by the server that watches');

news = once(told, 'weather://bergen');
two.changed.resource('weather://bergen'); // in another process
await news;
console.log('told by the other');

const idle = once(sensor, 'idle');
await subscription.close();
await idle;
await client.close();
console.log('ok: watched for as long as somebody wanted to know');

// Prints:
//   one: somebody watches weather://bergen
//   told by the server that watches
//   told by the other
//   one: nobody watches weather://bergen any more
//   ok: watched for as long as somebody wanted to know
