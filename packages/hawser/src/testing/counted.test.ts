import { expect, test } from 'vitest';
import { countedController } from './counted.ts';

test('listeners are counted until they are removed', () => {
  const controller = countedController();
  const heard: string[] = [];
  const one = () => heard.push('one');
  controller.signal.addEventListener('abort', one);
  controller.signal.addEventListener('abort', one);
  controller.signal.addEventListener('abort', () => heard.push('two'), { once: true });
  expect(controller.listeners).toBe(2);
  controller.signal.removeEventListener('abort', one);
  expect(controller.listeners).toBe(1);
  controller.abort('why');
  expect(heard).toEqual(['two']);
  expect(controller.signal.reason).toBe('why');
  expect(controller.listeners).toBe(0);
  controller.signal.addEventListener('abort', one);
  expect(controller.listeners).toBe(0);
});
