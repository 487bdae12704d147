// Elicitation by URL: what must not pass through the client, such as a password, is typed on a page of the server's.
import { connect, MissingRequiredClientCapabilityError } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'bank', version: '1.0.0' });

server.tool('balance', {}, async (_, ctx) => {
  await ctx.elicit('sign-in', { message: 'Sign in at your bank.', url: 'https://bank.example/sign-in' });
  // The person agreed to open the page. Whether the sign-in worked, the page tells the server.
  return '42 ducats';
});

const client = await connect(server, {
  onElicit: {
    url: ({ message, url, server }) => {
      // A real client shows the whole address, asks, and opens it in the person's browser.
      console.log(`${server}: ${message} ${url}`);
      return new URL(url).protocol === 'https:';
    },
  },
});
console.log((await client.callTool('balance')).text);
await client.close();

// A client that cannot do it is never asked: the call fails with what it lacks.
const plain = await connect(server);
try {
  await plain.callTool('balance');
} catch (error) {
  if (error instanceof MissingRequiredClientCapabilityError) console.log('a plain client:', error.code);
  else throw error;
}
await plain.close();
console.log('ok: sent to a page');

// Prints:
//   bank (the server in process): Sign in at your bank. https://bank.example/sign-in
//   42 ducats
//   a plain client: missing_client_capability
//   ok: sent to a page
