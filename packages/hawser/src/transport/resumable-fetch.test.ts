/** Streams whose events are in a log that takes its time, or fails. */
import { describe, expect, test } from 'vitest';
import { done, note, openedSession, Out, told } from '../../test/support/resuming.ts';
import { recorder } from '../../test/support/stdio.ts';
import type { EventLog, LoggedEvent } from '../ports/index.ts';
import { MemoryEventLog } from './memory-event-log.ts';

/** Keeps at once, and tells when the test lets it. */
class LateLog implements EventLog {
  readonly memory = new MemoryEventLog();
  readonly #asked: ((error?: Error) => void)[] = [];

  /** How many questions are open. */
  get asked(): number {
    return this.#asked.length;
  }
  append(...event: [string, number, string]): Promise<void> {
    this.memory.append(...event);
    return Promise.resolve();
  }
  /** What is there when it is asked is what it tells. */
  after(stream: string, number: number): Promise<LoggedEvent[]> {
    const events = this.memory.after(stream, number);
    return new Promise((resolve, reject) => {
      this.#asked.push((error) => (error === undefined ? resolve(events) : reject(error)));
    });
  }
  forget(...what: [string, number?]): Promise<void> {
    this.memory.forget(...what);
    return Promise.resolve();
  }
  async tell(error?: Error): Promise<void> {
    this.#asked.shift()?.(error);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
}

/** A session with a call whose stream was cut after its first event. */
function cut() {
  const log = new LateLog();
  const logger = recorder();
  const opened = openedSession('2025-11-25', log, Infinity, logger);
  const out = new Out();
  const exchange = opened.begin(out);
  exchange.emit(note('one'));
  exchange.closeStream();
  const back = new Out();
  const resume = (on = back): boolean => opened.session.resume(out.ids[0] ?? '', on);
  return { ...opened, log, logger, exchange, resume, back };
}

const reply = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('a caller that is back', () => {
  test('has its stream opened at once, is told what it missed, and goes on', async () => {
    const { log, resume, back, exchange } = cut();
    expect([resume(), back.at, back.data]).toEqual([true, 'open', []]);
    await log.tell();
    expect(exchange.emit(note('two'))).toBe(true);
    exchange.finish(done);
    expect([back.data, back.at]).toEqual([[told('one'), told('two'), reply], 'ended']);
  });

  test('misses nothing of what is said meanwhile, and gets it once, in order', async () => {
    const { log, resume, back, exchange, clock, kept } = cut();
    resume();
    exchange.emit(note('two'));
    await log.tell();
    expect(back.data).toEqual([told('one')]);
    exchange.emit(note('three'));
    exchange.finish(done);
    await log.tell();
    expect([back.data, back.at]).toEqual([[told('one'), told('two')], 'open']);
    await log.tell();
    expect([back.data, back.at]).toEqual([[told('one'), told('two'), told('three'), reply], 'ended']);
    await clock.settle();
    expect([kept(), clock.pending, log.asked, log.memory.size]).toEqual([0, 0, 0, 0]);
  });

  test('twice: the first response ends, the second is told', async () => {
    const { log, resume, back, exchange } = cut();
    resume();
    const second = new Out();
    resume(second);
    await log.tell();
    await log.tell();
    expect([back.at, back.data, second.at, second.data]).toEqual(['ended', [], 'open', [told('one')]]);
    exchange.finish(done);
    expect(second.data.at(-1)).toBe(reply);
  });

  test('and leaves before it was told: it may come again', async () => {
    const { log, resume, back, exchange } = cut();
    resume();
    back.leave();
    await log.tell();
    exchange.finish(done);
    const second = new Out();
    expect(resume(second)).toBe(true);
    await log.tell();
    expect([second.data, second.at]).toEqual([[told('one'), reply], 'ended']);
  });

  test.each(['closes the stream', 'ends the session'])('and the server %s: its response ends', async (what) => {
    const { log, resume, back, exchange, session, kept, clock } = cut();
    resume();
    if (what.startsWith('closes')) exchange.closeStream();
    else session.end();
    expect(back.at).toBe('ended');
    await log.tell();
    expect(back.data).toEqual([]);
    if (what.startsWith('ends')) return expect([kept(), clock.pending]).toEqual([0, 0]);
    const second = new Out();
    resume(second);
    await log.tell();
    expect(second.data).toEqual([told('one')]);
  });
});

describe('a log that fails', () => {
  test('when it is asked: the response ends, and the caller may come again', async () => {
    const { log, logger, resume, back, exchange, clock } = cut();
    resume();
    exchange.finish(done);
    await log.tell(new Error('no connection'));
    expect([back.at, back.data]).toEqual(['ended', []]);
    expect(logger.entries).toMatchObject([{ level: 'error', message: 'the event log failed' }]);
    const second = new Out();
    expect(resume(second)).toBe(true);
    await log.tell();
    expect([second.data, clock.pending]).toEqual([[told('one'), reply], 0]);
  });

  test('for the stream of a session: the same', async () => {
    const log = new LateLog();
    const { session, listening, clock } = openedSession('2025-11-25', log);
    const out = new Out();
    session.attach(out);
    out.leave();
    listening[0]?.emit(note('one'));
    const back = new Out();
    session.resume(out.ids[0] ?? '', back);
    await log.tell(new Error('no connection'));
    expect([back.at, session.streaming, clock.pending]).toEqual(['ended', false, 1]);
    const second = new Out();
    session.resume(out.ids[0] ?? '', second);
    await log.tell();
    listening[0]?.emit(note('two'));
    expect([second.data, session.streaming, clock.pending]).toEqual([[told('one'), told('two')], true, 0]);
  });

  test.each(['throws', 'rejects'])('to keep: the call goes on, and the log of the server is told (%s)', async (how) => {
    const logger = recorder();
    const fails = (): Promise<void> => {
      if (how === 'throws') throw new Error('full');
      return Promise.reject(new Error('full'));
    };
    const log = { append: fails, after: () => [], forget: fails };
    const { begin, clock } = openedSession('2025-11-25', log, Infinity, logger);
    const out = new Out();
    const exchange = begin(out);
    expect(exchange.emit(note('one'))).toBe(true);
    exchange.finish(done);
    await clock.settle();
    expect([out.data, out.at]).toEqual([[told('one'), reply], 'ended']);
    expect(new Set(logger.of('error'))).toEqual(new Set(['the event log failed']));
  });
});

test('a change is kept in the log in the place of the one before', () => {
  const log = new MemoryEventLog();
  const { session, listening, kept, bytes } = openedSession('2025-11-25', log);
  const out = new Out();
  session.attach(out);
  for (let round = 0; round < 100; round++)
    for (const name of ['tools', 'prompts']) listening[0]?.emit(note(`${name}/list_changed`));
  const [stream] = (out.ids.at(-1) ?? '').split(/\.\d+$/);
  expect(log.after(stream ?? '', 0).map(({ number }) => number)).toEqual([200, 201]);
  expect([kept(), bytes()]).toEqual([
    2,
    2 * log.after(stream ?? '', 0).reduce((sum, { data }) => sum + data.length, 0),
  ]);
  session.end();
  expect([kept(), bytes(), log.size]).toEqual([0, 0, 0]);
});

test('past the bound of all sessions a reply that waits is given up, and its stream with it', () => {
  const { begin, session, kept, clock } = openedSession('2025-11-25', new MemoryEventLog(), 10_000);
  const outs = [new Out(), new Out()];
  for (const out of outs) {
    const exchange = begin(out);
    exchange.closeStream();
    exchange.finish({ result: { text: 'x'.repeat(3_000) } });
  }
  expect([kept(), clock.pending]).toEqual([1, 1]);
  expect(outs.map((out) => session.resume(out.ids[0] ?? '', new Out()))).toEqual([false, true]);
});
