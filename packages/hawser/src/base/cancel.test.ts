import { describe, expect, test } from 'vitest';
import { countedController } from '../testing/counted.ts';
import { Cancel, follow } from './cancel.ts';

describe('Cancel', () => {
  test('tells each listener once, in order, with the first reason', () => {
    const cancel = new Cancel();
    const heard: unknown[] = [];
    cancel.onCancel((reason) => heard.push(['first', reason]));
    cancel.onCancel((reason) => heard.push(['second', reason]));
    expect([cancel.cancelled, cancel.reason]).toEqual([false, undefined]);
    cancel.cancel('why');
    cancel.cancel('again');
    expect(heard).toEqual([
      ['first', 'why'],
      ['second', 'why'],
    ]);
    expect([cancel.cancelled, cancel.reason]).toEqual([true, 'why']);
  });

  test('a listener that comes late is told at once', () => {
    const cancel = new Cancel();
    cancel.cancel('why');
    const heard: unknown[] = [];
    cancel.onCancel((reason) => heard.push(reason));
    expect(heard).toEqual(['why']);
  });

  test('after done nothing is told, neither early nor late listeners, nor the signal', () => {
    const cancel = new Cancel();
    const heard: unknown[] = [];
    cancel.onCancel((reason) => heard.push(reason));
    const { signal } = cancel;
    cancel.done();
    cancel.cancel('too late');
    cancel.onCancel((reason) => heard.push(reason));
    expect(heard).toEqual([]);
    expect([cancel.cancelled, signal.aborted]).toEqual([false, false]);
  });

  test('done does not undo a cancellation', () => {
    const cancel = new Cancel();
    cancel.cancel('why');
    cancel.done();
    expect([cancel.cancelled, cancel.reason]).toEqual([true, 'why']);
  });

  test('the signal is one and the same, whether asked for before or after', () => {
    const before = new Cancel();
    const { signal } = before;
    before.cancel('why');
    expect(before.signal).toBe(signal);
    const after = new Cancel();
    after.cancel('why');
    for (const each of [signal, after.signal]) expect([each.aborted, each.reason]).toEqual([true, 'why']);
  });

  test('a listener that throws keeps nobody from hearing, and whoever cancels gets its error', () => {
    const cancel = new Cancel();
    const heard: string[] = [];
    cancel.onCancel(() => {
      throw new Error('first');
    });
    cancel.onCancel(() => heard.push('second'));
    cancel.onCancel(() => {
      throw new Error('third');
    });
    cancel.onCancel(() => heard.push('fourth'));
    expect(() => cancel.cancel('why')).toThrow('first');
    expect(heard).toEqual(['second', 'fourth']);
  });

  test('a listener that cancels again or adds a listener does no harm', () => {
    const cancel = new Cancel();
    const heard: unknown[] = [];
    cancel.onCancel((reason) => {
      cancel.cancel('again');
      cancel.onCancel((inner) => heard.push(['inner', inner]));
      heard.push(['outer', reason]);
    });
    cancel.cancel('why');
    expect(heard).toEqual([
      ['inner', 'why'],
      ['outer', 'why'],
    ]);
  });
});

describe('follow', () => {
  test('cancels with the reason of the signal', () => {
    const controller = countedController();
    const cancel = new Cancel();
    follow(controller.signal, cancel);
    expect(controller.listeners).toBe(1);
    controller.abort('why');
    expect([cancel.cancelled, cancel.reason]).toEqual([true, 'why']);
    expect(controller.listeners).toBe(0);
  });

  test('what it returns takes the listener off', () => {
    const controller = countedController();
    const cancel = new Cancel();
    follow(controller.signal, cancel)();
    expect(controller.listeners).toBe(0);
    controller.abort('why');
    expect(cancel.cancelled).toBe(false);
  });

  test('a signal that has aborted cancels at once and is not listened to', () => {
    const controller = countedController();
    controller.abort('early');
    const cancel = new Cancel();
    follow(controller.signal, cancel)();
    expect(cancel.reason).toBe('early');
    expect(controller.listeners).toBe(0);
  });

  test('many follow one signal by one listener, and each on its own', () => {
    const controller = countedController();
    const cancels = Array.from({ length: 20 }, () => new Cancel());
    const unfollow = cancels.map((cancel) => follow(controller.signal, cancel));
    expect(controller.listeners).toBe(1);
    unfollow[3]?.();
    unfollow[3]?.();
    expect(controller.listeners).toBe(1);
    controller.abort('why');
    expect(cancels.map((cancel) => cancel.cancelled)).toEqual(cancels.map((_, n) => n !== 3));
    for (const each of unfollow) each();
    expect(controller.listeners).toBe(0);
  });

  test('when all have left, the next one is followed again', () => {
    const controller = countedController();
    follow(controller.signal, new Cancel())();
    expect(controller.listeners).toBe(0);
    const cancel = new Cancel();
    follow(controller.signal, cancel);
    expect(controller.listeners).toBe(1);
    controller.abort('why');
    expect([cancel.reason, controller.listeners]).toEqual(['why', 0]);
  });

  test('without a signal nothing happens', () => {
    const cancel = new Cancel();
    follow(undefined, cancel)();
    expect(cancel.cancelled).toBe(false);
  });
});
