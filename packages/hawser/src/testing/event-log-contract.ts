import { systemClock } from '../base/clock.ts';
import type { EventLog } from '../ports/store.ts';
import { canonicalKey } from './canonical.ts';
import type { ContractCase } from './contract.ts';

/**
 * What every `EventLog` has to do, to be run by any test runner.
 *
 * ```ts
 * for (const { name, run } of eventLogContract(() => new RedisEventLog(client))) test(name, run)
 * ```
 *
 * @param make gives a log; one that is shared may hold streams of other names
 */
export function eventLogContract(make: () => EventLog | Promise<EventLog>): ContractCase[] {
  const check = (name: string, run: (log: EventLog, stream: string) => Promise<void>): ContractCase => ({
    name: `event log: ${name}`,
    run: async () => {
      const log = await make();
      const stream = `contract:${systemClock.uuid()}`;
      try {
        await run(log, stream);
      } finally {
        for (const each of [stream, `${stream}.other`]) await log.forget(each);
      }
    },
  });
  return [
    check('gives the events of a stream after a number, in order', async (log, stream) => {
      for (const number of [2, 5, 9]) await log.append(stream, number, `text ${number}`);
      await expectEvents(log, stream, 0, [2, 5, 9]);
      await expectEvents(log, stream, 2, [5, 9]);
      // A number that was never given, or is given up, has its place all the same.
      await expectEvents(log, stream, 6, [9]);
      await expectEvents(log, stream, 9, []);
    }),
    check('keeps streams apart', async (log, stream) => {
      await log.append(stream, 1, 'text 1');
      await log.append(`${stream}.other`, 2, 'text 2');
      await expectEvents(log, stream, 0, [1]);
      await log.forget(stream);
      await expectEvents(log, stream, 0, []);
      await expectEvents(log, `${stream}.other`, 0, [2]);
    }),
    check('gives up one event, or all of a stream, which can begin anew', async (log, stream) => {
      for (const number of [1, 2, 3]) await log.append(stream, number, `text ${number}`);
      await log.forget(stream, 2);
      await expectEvents(log, stream, 0, [1, 3]);
      await log.forget(stream);
      await log.append(stream, 4, 'text 4');
      await expectEvents(log, stream, 0, [4]);
    }),
    check('takes it well when there is nothing to give up', async (log, stream) => {
      await log.forget(stream);
      await log.forget(stream, 7);
      await log.append(stream, 1, 'text 1');
      await log.forget(stream, 7);
      await expectEvents(log, stream, 0, [1]);
    }),
    check('does what it is asked in order, without being waited for', async (log, stream) => {
      const asked = [1, 2, 3].map((number) => log.append(stream, number, `text ${number}`));
      asked.push(log.forget(stream, 2), log.append(stream, 4, 'text 4'));
      await expectEvents(log, stream, 0, [1, 3, 4]);
      for (const done of asked) await done;
    }),
    check('gives back text as it was, whatever is in it', async (log, stream) => {
      const texts = ['', 'a\nb\r\nc', '\u0000\u2028"\\', '🐎é', 'x'.repeat(100_000)];
      for (const [at, text] of texts.entries()) await log.append(stream, at + 1, text);
      const came = await log.after(stream, 0);
      if (canonicalKey(came.map(({ data }) => data)) !== canonicalKey(texts)) throw new Error('the text has changed');
    }),
  ];
}

async function expectEvents(log: EventLog, stream: string, after: number, numbers: readonly number[]): Promise<void> {
  const came = (await log.after(stream, after)).map(({ number, data }) => ({ number, data }));
  const wanted = numbers.map((number) => ({ number, data: `text ${number}` }));
  if (canonicalKey(came) !== canonicalKey(wanted))
    throw new Error(`after ${after} there should be ${numbers.join() || 'nothing'}, not ${JSON.stringify(came)}`);
}
