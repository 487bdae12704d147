import { Server } from 'hawser/server';
import { z } from 'zod';

/** An example server: written once, served in every revision, on every transport. */
const server = new Server({ name: 'forecast', version: '1.0.0', instructions: 'Forecasts are invented.' });

const Day = z.object({ day: z.number(), sky: z.string() });

server.tool(
  'forecast',
  {
    title: 'Forecast',
    description: 'The weather of the next days in a city.',
    input: z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7).default(3) }),
    output: z.object({ city: z.string(), days: z.array(Day) }),
    annotations: { readOnlyHint: true },
  },
  async ({ city, days }, ctx) => {
    const list: z.infer<typeof Day>[] = [];
    for (let day = 1; day <= days; day++) {
      list.push({ day, sky: ['clear', 'cloudy', 'rain'][(city.length + day) % 3] as string });
      await ctx.progress(day, days, `day ${day}`);
    }
    return { structured: { city, days: list } };
  },
);

server.tool('wait', { description: 'Waits until the call is cancelled.' }, async (_args, ctx) => {
  await ctx.progress(0, 1, 'waiting');
  return new Promise((resolve) => {
    ctx.signal.addEventListener('abort', () => resolve('cancelled'), { once: true });
  });
});

export default server;
