import { expect, test } from 'vitest';
import { nextTurn, settle } from './settle.ts';

test('a long chain of promises is over afterwards', async () => {
  let steps = 0;
  const chain = async () => {
    for (let i = 0; i < 1_000; i++) {
      await Promise.resolve();
      steps++;
    }
  };
  void chain();
  await settle();
  expect(steps).toBe(1_000);
});

test('work over many turns and work of another thread is waited for through isQuiet', async () => {
  let busy = 2;
  const turns = async () => {
    for (let i = 0; i < 50; i++) await nextTurn();
    busy--;
  };
  void turns();
  void crypto.subtle.digest('SHA-256', new Uint8Array(1_000)).then(() => busy--);
  await settle(() => busy === 0);
  expect(busy).toBe(0);
});

test('quiet is several turns in a row: a lull of two turns does not end it', async () => {
  const answers = [true, true, false, true, true, true, true];
  let asked = 0;
  await settle(() => answers[asked++] === true);
  expect(asked).toBe(6);
});

test('what never becomes quiet is an error', async () => {
  await expect(settle(() => false, { maxTurns: 20 })).rejects.toThrow('not quiet after 20 turns');
});

test('a turn lets others have theirs', async () => {
  let others = 0;
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    others++;
    port2.postMessage(undefined);
  });
  port1.start();
  port2.postMessage(undefined);
  for (let i = 0; i < 10; i++) await nextTurn();
  port1.close();
  expect(others).toBeGreaterThan(0);
});
