// Completion: suggestions while a person types a prompt's argument or a template's variable.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const ports: Record<string, string[]> = { norway: ['Bergen', 'Bodø', 'Oslo'], sweden: ['Göteborg', 'Malmö'] };
const startingWith = (list: string[], value: string): string[] =>
  list.filter((entry) => entry.toLowerCase().startsWith(value.toLowerCase()));

const server = new Server({ name: 'pilot', version: '1.0.0' });

server.prompt(
  'approach',
  {
    input: z.object({ country: z.string(), port: z.string() }),
    complete: {
      country: (value) => startingWith(Object.keys(ports), value),
      // What is filled in already narrows the suggestions.
      port: (value, context) => startingWith(ports[context.arguments['country'] ?? ''] ?? [], value),
    },
  },
  ({ country, port }) => `How do I approach ${port}, ${country}?`,
);

server.template(
  'charts://{country}',
  { name: 'chart', complete: { country: (value) => startingWith(Object.keys(ports), value) } },
  ({ country }) => ports[country ?? '']?.join('\n'),
);

const client = await connect(server);

const approach = { type: 'ref/prompt', name: 'approach' } as const;
console.log((await client.complete(approach, { name: 'country', value: 'n' })).values);
console.log((await client.complete(approach, { name: 'port', value: 'b' }, { context: { country: 'norway' } })).values);

const chart = { type: 'ref/resource', uri: 'charts://{country}' } as const;
console.log((await client.complete(chart, { name: 'country', value: 's' })).values);

await client.close();
console.log('ok: values completed');

// Prints:
//   [ 'norway' ]
//   [ 'Bergen', 'Bodø' ]
//   [ 'sweden' ]
//   ok: values completed
