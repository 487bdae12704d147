// Sampling: the server asks the client's model to go on. The client stays in charge: of the model, the cost, the words.
// The protocol means to drop it; new servers had better call a model themselves.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'poet', version: '1.0.0' });

server.tool('rhyme', { input: z.object({ word: z.string() }) }, async ({ word }, ctx) => {
  if (!ctx.can('sample')) return `I know no rhyme for ${word}.`;
  const { content, model } = await ctx.sample('rhyme', {
    messages: [{ role: 'user', content: { type: 'text', text: `One word that rhymes with ${word}.` } }],
    maxTokens: 20,
  });
  const [first] = Array.isArray(content) ? content : [content];
  return `${first?.type === 'text' ? first.text : '?'} (says ${model})`;
});

const client = await connect(server, {
  // A real client asks the person first, then its model.
  onSample: ({ messages, maxTokens }) => {
    console.log(`asked with ${messages.length} message, ${maxTokens} tokens at most`);
    return { role: 'assistant', content: { type: 'text', text: 'stone' }, model: 'a-model', stopReason: 'endTurn' };
  },
});
console.log((await client.callTool('rhyme', { word: 'bone' })).text);
await client.close();

const plain = await connect(server);
console.log((await plain.callTool('rhyme', { word: 'bone' })).text);
await plain.close();
console.log('ok: the model of the client answered');

// Prints:
//   asked with 1 message, 20 tokens at most
//   stone (says a-model)
//   I know no rhyme for bone.
//   ok: the model of the client answered
