/**
 * The tools that every server of the table offers, and the names under which `server-everything` has the like.
 * A definition is `{ name, description, input, output?, run(args, { signal, progress, tell, heard }) }`; `run`
 * gives a CallToolResult or throws. `tell(event)` and `heard(test)` are the side channel.
 */
import { z } from 'zod';

export const unicode = 'Grüße, 世界 — 🪢 \u2028 "quoted" \\ \u0000 end';
export const failure = 'the lamp is out';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

export const tools = [
  {
    name: 'echo',
    description: 'Gives the text back',
    input: z.object({ text: z.string().describe('What to give back') }),
    run: (args) => text(args.text),
  },
  {
    name: 'add',
    description: 'Adds two numbers',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    run: (args) => ({ ...text(String(args.a + args.b)), structuredContent: { sum: args.a + args.b } }),
  },
  {
    name: 'steps',
    description: 'Reports its progress at each step; with `wait` it goes on when the caller has seen it',
    input: z.object({ count: z.number().int(), wait: z.boolean() }),
    run: async (args, { progress, heard }) => {
      for (let step = 1; step <= args.count; step += 1) {
        await progress(step, args.count, `step ${step}`);
        if (args.wait) await heard((note) => note.saw === step, `the caller did not see step ${step}`);
      }
      return text('done');
    },
  },
  {
    name: 'fail',
    description: 'Always fails',
    input: z.object({}),
    run: () => {
      throw new Error(failure);
    },
  },
  {
    name: 'slow',
    description: 'Ends when it is cancelled',
    input: z.object({}),
    run: async (_args, { signal, tell }) => {
      tell({ event: 'slow:started' });
      await new Promise((resolve) => {
        // A server that is never told must not wait for ever.
        const timer = setTimeout(resolve, 30_000);
        timer.unref();
        const aborted = () => {
          clearTimeout(timer);
          tell({ event: 'slow:aborted' });
          resolve(undefined);
        };
        if (signal.aborted) aborted();
        else signal.addEventListener('abort', aborted, { once: true });
      });
      return text('cancelled');
    },
  },
];

/** What the checks call, by the dialect of the server. `told` names the event that shows the server was told to stop. */
export const dialects = {
  ours: {
    echo: { tool: 'echo', argument: 'text', answer: (value) => value },
    structured: { tool: 'add', args: { a: 2, b: 40 }, expect: { sum: 42 } },
    progress: { tool: 'steps', args: { count: 3, wait: true }, count: 3 },
    rush: { tool: 'steps', args: { count: 3, wait: false }, count: 3 },
    fail: { tool: 'fail', args: {}, text: failure },
    slow: { tool: 'slow', args: {} },
    told: 'slow:aborted',
  },
  // It has no tool that throws: wrong arguments are its failure. Its long operation never looks at its signal.
  everything: {
    echo: { tool: 'echo', argument: 'message', answer: (value) => `Echo: ${value}` },
    structured: {
      tool: 'get-structured-content',
      args: { location: 'Chicago' },
      expect: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
    },
    progress: { tool: 'trigger-long-running-operation', args: { duration: 0.3, steps: 3 }, count: 3 },
    rush: { tool: 'trigger-long-running-operation', args: { duration: 0.01, steps: 3 }, count: 3 },
    fail: { tool: 'get-sum', args: { a: 'one', b: 2 }, text: 'Invalid arguments' },
    slow: { tool: 'trigger-long-running-operation', args: { duration: 20, steps: 1 } },
    told: 'wire-cancelled',
  },
};
