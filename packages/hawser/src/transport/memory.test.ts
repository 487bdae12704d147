import { describe, expect, test } from 'vitest';
import { settle } from '../testing/settle.ts';
import { memoryPipe } from './memory.ts';

function reading(pipe: ReturnType<typeof memoryPipe>[0]) {
  const heard: string[] = [];
  pipe.start({
    chunk: (bytes) => heard.push(new TextDecoder().decode(bytes)),
    ended: (error) => heard.push(error === undefined ? '|' : '!'),
  });
  return heard;
}

describe('memoryPipe', () => {
  test('what one end writes the other reads, in order and not at once', async () => {
    const [near, far] = memoryPipe();
    const [nearHeard, farHeard] = [reading(near), reading(far)];
    expect(near.write('a—')).toBe(true);
    near.write('b');
    far.write('c');
    expect([nearHeard, farHeard]).toEqual([[], []]);
    await settle();
    expect([nearHeard, farHeard]).toEqual([['c'], ['a—', 'b']]);
  });

  test('who starts late gets all there was, the end too', async () => {
    const [near, far] = memoryPipe();
    near.write('a');
    near.write('b');
    await near.close();
    await settle();
    expect(reading(far)).toEqual(['a', 'b', '|']);
    expect(reading(near)).toEqual(['|']);
  });

  test('close lets through what was written before it, ends both once, and takes nothing after', async () => {
    const [near, far] = memoryPipe();
    const [nearHeard, farHeard] = [reading(near), reading(far)];
    near.write('last');
    await Promise.all([near.close(), near.close(), far.close()]);
    await settle();
    expect([near.write('x'), far.write('y')]).toEqual([false, false]);
    await Promise.all([near.drained(), far.drained()]);
    await settle();
    expect([nearHeard, farHeard]).toEqual([['|'], ['last', '|']]);
  });
});
