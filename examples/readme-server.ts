import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'greeter', version: '1.0.0' });

server.tool(
  'greet',
  { description: 'Greets somebody.', input: z.object({ name: z.string() }) },
  async ({ name }, ctx) => {
    await ctx.progress(1, 2, 'thinking of something nice');
    return `Hello, ${name}!`;
  },
);

const { url } = await serveHttp(server, { port: Number(process.env['PORT'] ?? 3000) });
console.log(url);
