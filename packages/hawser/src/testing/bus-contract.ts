import { systemClock } from '../base/clock.ts';
import type { Bus } from '../ports/index.ts';
import { same, type ContractCase } from './contract.ts';

/**
 * What a {@link Bus} has to do, whatever it is made of.
 *
 * ```ts
 * for (const { name, run } of busContract(() => redisBus(url))) test(name, run)
 * ```
 *
 * @param open gives an end of the bus, as another process has one; asked several times in each case
 */
export function busContract(open: () => Bus | Promise<Bus>): ContractCase[] {
  const topic = (): string => `contract:${systemClock.uuid()}`;
  return [
    {
      name: 'what is published reaches all who have subscribed to the topic, as it is',
      async run() {
        const [here, near, far] = [await open(), await open(), await open()];
        const name = topic();
        const texts = ['{"from":"x"}', '', ' a\nb\u2028 ✓ 𝄞"\\', 'x'.repeat(10_000)];
        const ends = [await heardOn(near, name), await heardOn(far, name)];
        for (const text of texts) await here.publish(name, text);
        for (const end of ends) {
          same(await end.first(texts.length), texts);
          await end.leave();
        }
      },
    },
    {
      name: 'messages of one who publishes come in their order',
      async run() {
        const [here, far] = [await open(), await open()];
        const name = topic();
        const end = await heardOn(far, name);
        const texts = Array.from({ length: 100 }, (_, at) => `${at}`);
        for (const text of texts) await here.publish(name, text);
        same(await end.first(texts.length), texts);
        await end.leave();
      },
    },
    {
      name: 'who has subscribed to another topic hears nothing of it',
      async run() {
        const [here, far] = [await open(), await open()];
        const [name, other] = [topic(), topic()];
        const end = await heardOn(far, other);
        await here.publish(name, 'not for it');
        await here.publish(other, 'for it');
        same(await end.first(1), ['for it']);
        await end.leave();
      },
    },
    {
      name: 'who has left hears nothing more, the others do; to leave again is harmless',
      async run() {
        const [here, near, far] = [await open(), await open(), await open()];
        const name = topic();
        const [gone, stays] = [await heardOn(near, name), await heardOn(far, name)];
        await gone.leave();
        await gone.leave();
        await here.publish(name, 'late');
        same(await stays.first(1), ['late']);
        same(gone.heard, []);
        await stays.leave();
      },
    },
    {
      name: 'to publish where nobody listens, or nobody any more, is no error',
      async run() {
        const here = await open();
        const name = topic();
        await here.publish(name, 'before');
        const end = await heardOn(here, name);
        await end.leave();
        await here.publish(name, 'after');
        same(end.heard, []);
      },
    },
  ];
}

interface End {
  readonly heard: string[];
  /** Waits for so many messages. */
  first(count: number): Promise<string[]>;
  leave(): Promise<void>;
}

async function heardOn(bus: Bus, topic: string): Promise<End> {
  const heard: string[] = [];
  let look = (): void => undefined;
  const leave = await bus.subscribe(topic, (message) => {
    heard.push(message);
    look();
  });
  const first = (count: number): Promise<string[]> =>
    new Promise((resolve) => {
      look = () => {
        if (heard.length >= count) resolve(heard.slice(0, count));
      };
      look();
    });
  return { heard, first, leave };
}
