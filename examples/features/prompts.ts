// Prompts: texts for a model that a person picks and fills in.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'teacher', version: '1.0.0' });

server.prompt(
  'explain',
  {
    title: 'Explain',
    description: 'Explains a word of seamen.',
    input: z.object({ word: z.string().describe('The word'), tone: z.enum(['plain', 'salty']).optional() }),
  },
  ({ word, tone }) => `Explain "${word}" in ${tone ?? 'plain'} words.`, // text is one message of the user's
);

server.prompt('quiz', { description: 'Begins a quiz.' }, () => ({
  description: 'A quiz on knots',
  messages: [
    { role: 'user', content: { type: 'text', text: 'Ask me about knots.' } },
    { role: 'assistant', content: { type: 'text', text: 'Which knot makes a loop that does not slip?' } },
  ],
}));

const client = await connect(server);

for (const { name, arguments: args } of await client.listPrompts()) {
  console.log(name, JSON.stringify(args ?? []));
}

console.log((await client.getPrompt('explain', { word: 'hawser', tone: 'salty' })).text);

const quiz = await client.getPrompt('quiz');
console.log(quiz.description);
for (const { role, content } of quiz.messages) console.log(`${role}: ${content.type === 'text' ? content.text : ''}`);

await client.close();
console.log('ok: prompts listed and filled in');

// Prints:
//   explain [{"name":"word","description":"The word","required":true},{"name":"tone"}]
//   quiz []
//   Explain "hawser" in salty words.
//   A quiz on knots
//   user: Ask me about knots.
//   assistant: Which knot makes a loop that does not slip?
//   ok: prompts listed and filled in
