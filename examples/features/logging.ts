// Logging: a handler's words on what it does, for those who want to know.
import { connect } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'engine-room', version: '1.0.0' });

server.tool('start', {}, (_, ctx) => {
  ctx.log('debug', { oil: 'warm' });
  ctx.log('info', 'the engine is running', 'engine');
  ctx.log('warning', { fuel: 0.1 }, 'tank');
  return 'full ahead';
});

for (const protocol of ['modern', 'legacy'] as const) {
  const client = await connect(server, {
    protocol,
    logLevel: 'info',
    onLog: ({ level, logger, data }) => console.log(`  ${level} ${logger ?? '-'} ${JSON.stringify(data)}`),
  });
  console.log(`${protocol}, from info on`);
  await client.callTool('start');

  console.log(`${protocol}, from warning on`);
  await client.setLogLevel('warning');
  await client.callTool('start');
  await client.close();
}
console.log('ok: only what was asked for');

// Prints:
//   modern, from info on
//     info engine "the engine is running"
//     warning tank {"fuel":0.1}
//   modern, from warning on
//     warning tank {"fuel":0.1}
//   legacy, from info on
//     info engine "the engine is running"
//     warning tank {"fuel":0.1}
//   legacy, from warning on
//     warning tank {"fuel":0.1}
//   ok: only what was asked for
