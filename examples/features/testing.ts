// A test of a tool that asks: one run for each generation, and an error if the handler does something wrong with its
// questions.
import type { Logger } from 'hawser';
import { Server } from 'hawser/server';
import { bothGenerations } from 'hawser/testing';
import { z } from 'zod';

function makeServer(options: { logger?: Logger } = {}): Server {
  const server = new Server({ name: 'deployer', version: '1.0.0', ...options });
  server.tool('deploy', { input: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
    const { ok } = await ctx.elicit('confirm', { message: `Deploy to ${env}?`, schema: z.object({ ok: z.boolean() }) });
    return ok ? `Deployed to ${env}.` : 'Nothing done.';
  });
  return server;
}

const { modern, legacy, rounds } = await bothGenerations({
  server: (logger) => makeServer({ logger }),
  tool: 'deploy',
  arguments: { env: 'production' },
  answers: { confirm: { action: 'accept', content: { ok: true } } },
});
console.log(JSON.stringify(modern['content']));
console.log(JSON.stringify(legacy['content']));
console.log(JSON.stringify(rounds)); // the questions of each round

console.log('ok: the same in both generations');

// Prints:
//   [{"type":"text","text":"Deployed to production."}]
//   [{"type":"text","text":"Deployed to production."}]
//   [["confirm"]]
//   ok: the same in both generations
