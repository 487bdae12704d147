import { describe, expect, test } from 'vitest';
import { done, note, openedSession as open, Out, told } from '../../test/support/resuming.ts';
import { Cancel } from '../base/cancel.ts';

describe('what is kept', () => {
  test('nothing for a plain answer, and nothing when the reply has gone out', async () => {
    const { begin, kept, clock } = open();
    const plain = new Out();
    begin(plain).finish(done);
    expect([plain.sent, kept()]).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}', 0]);
    const out = new Out();
    const exchange = begin(out);
    for (let i = 0; i < 10; i++) exchange.emit(note('x'));
    expect(kept()).toBe(10);
    exchange.finish(done);
    await clock.settle();
    expect([out.at, out.data.length, kept(), clock.pending]).toEqual(['ended', 11, 0, 0]);
  });

  test('a reply that breaks on its way is told again', async () => {
    const { begin, session, kept, clock } = open();
    const out = new Out();
    out.flows = false;
    const exchange = begin(out);
    exchange.emit(note('one'));
    exchange.finish(done);
    await clock.settle();
    expect(kept()).toBe(2);
    out.leave();
    await clock.settle();
    const back = new Out();
    expect(session.resume(out.ids[0] ?? '', back)).toBe(true);
    expect(back.data).toEqual([told('one'), '{"jsonrpc":"2.0","id":1,"result":{}}']);
    await clock.settle();
    expect([back.at, kept(), clock.pending]).toEqual(['ended', 0, 0]);
    expect(session.resume(out.ids[0] ?? '', new Out())).toBe(false);
  });

  test('a reply that does not get on is told again to a caller who is back already', async () => {
    const { begin, session, kept, clock } = open();
    const out = new Out();
    out.flows = false;
    const exchange = begin(out);
    exchange.emit(note('one'));
    exchange.finish(done);
    const back = new Out();
    expect(session.resume(out.ids.at(-2) ?? '', back)).toBe(true);
    expect([back.at, back.data.length]).toEqual(['ended', 1]);
    await clock.settle();
    out.leave();
    await clock.settle();
    expect([kept(), clock.pending]).toEqual([0, 0]);
  });

  test('1,000 events of a session; past them the oldest goes', () => {
    for (const [count, first] of [
      [1_000, 'n0'],
      [1_001, 'n1'],
    ] as const) {
      const { begin, session, kept } = open();
      const out = new Out();
      const exchange = begin(out);
      exchange.closeStream();
      for (let i = 0; i < count; i++) expect(exchange.emit(note(`n${i}`))).toBe(true);
      expect(kept()).toBe(1_000);
      const back = new Out();
      session.resume(out.ids[0] ?? '', back);
      expect([back.data.length, back.data[0], back.data.at(-1)]).toEqual([1_000, told(first), told(`n${count - 1}`)]);
    }
  });

  test('a question as long as nobody has answered it, whatever else comes', async () => {
    const { begin, session, kept } = open();
    const out = new Out();
    const exchange = begin(out);
    exchange.closeStream();
    const answers = ['a', 'b', 'c'].map((name) => exchange.ask?.({ method: 'roots/list', params: { name } }));
    for (let i = 0; i < 1_000; i++) exchange.emit(note(`n${i}`));
    const asked = (missed: Out) => missed.data.map((data) => JSON.parse(data)).filter(({ id }) => id !== undefined);
    const back = new Out();
    session.resume(out.ids[0] ?? '', back);
    expect([back.data.length, kept()]).toEqual([1_000, 1_000]);
    expect(asked(back)).toMatchObject(['a', 'b', 'c'].map((name, i) => ({ id: `s${i + 1}`, params: { name } })));
    session.answered('s1', { result: { roots: [] } });
    session.misanswered('s2', 'it is none');
    await expect(answers[0]).resolves.toEqual({ result: { roots: [] } });
    await expect(answers[1]).rejects.toThrow('it is none');
    expect(kept()).toBe(998);
    const again = new Out();
    session.resume(out.ids[0] ?? '', again);
    expect(asked(again)).toMatchObject([{ id: 's3' }]);
    answers[2]?.catch(() => undefined);
    session.end();
  });

  test('a question that is taken back is not told again, only that it was', async () => {
    const { begin, session } = open();
    const out = new Out();
    const exchange = begin(out);
    exchange.closeStream();
    const cancel = new Cancel();
    const answer = exchange.ask?.({ method: 'roots/list' }, { cancel });
    cancel.cancel('enough');
    await expect(answer).rejects.toMatchObject({ code: 'aborted', cause: 'enough', outcome: 'unknown' });
    const back = new Out();
    session.resume(out.ids[0] ?? '', back);
    expect(back.data.map((data) => JSON.parse(data))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's1' } },
    ]);
  });

  test('a question to a caller that has gone before its stream was opened fails at once', async () => {
    const { begin, session } = open();
    const out = new Out();
    const exchange = begin(out);
    out.leave();
    await expect(exchange.ask?.({ method: 'roots/list' })).rejects.toMatchObject({
      code: 'connection',
      outcome: 'not-sent',
    });
    exchange.finish({ result: {} });
    expect(session.inFlight).toBe(false);
  });

  test('a question that nobody waits for any more is not asked', async () => {
    const { begin } = open();
    const out = new Out();
    const exchange = begin(out);
    const cancel = new Cancel();
    cancel.cancel('early');
    await expect(exchange.ask?.({ method: 'roots/list' }, { cancel })).rejects.toMatchObject({
      code: 'aborted',
      cause: 'early',
      outcome: 'not-sent',
    });
    expect([out.at, out.text]).toEqual(['new', '']);
  });

  test('4 MiB of a session: a reply past them is given up, and so is its stream', () => {
    const empty = 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"text":""}}\n\n'.length;
    for (const [over, resumed] of [
      [0, true],
      [1, false],
    ] as const) {
      const { begin, session, kept, clock } = open();
      const out = new Out();
      const exchange = begin(out);
      exchange.closeStream();
      exchange.finish({ result: { text: 'x'.repeat(2 * 1024 * 1024 - empty + over) } });
      expect(kept()).toBe(resumed ? 1 : 0);
      expect(session.resume(out.ids[0] ?? '', new Out())).toBe(resumed);
      if (!resumed) expect(clock.pending).toBe(0);
    }
  });

  test('for ten minutes after the reply, if nobody comes back', async () => {
    const { begin, session, kept, clock } = open();
    const outs = [new Out(), new Out()];
    for (const out of outs) {
      const exchange = begin(out);
      exchange.closeStream();
      exchange.finish(done);
    }
    await clock.advance(10 * 60_000 - 1);
    expect(session.resume(outs[0]?.ids[0] ?? '', new Out())).toBe(true);
    await clock.settle();
    expect(kept()).toBe(1);
    await clock.advance(1);
    expect(session.resume(outs[1]?.ids[0] ?? '', new Out())).toBe(false);
    expect([kept(), clock.pending]).toEqual([0, 0]);
  });

  test('as long as it takes once somebody is back', async () => {
    const { begin, session, clock, kept } = open();
    const out = new Out();
    const exchange = begin(out);
    exchange.closeStream();
    exchange.finish(done);
    await clock.advance(10 * 60_000 - 1);
    const slow = new Out();
    slow.flows = false;
    session.resume(out.ids[0] ?? '', slow);
    await clock.advance(10 * 60_000 - 1);
    slow.leave();
    await clock.advance(10 * 60_000 - 1);
    const back = new Out();
    expect(session.resume(out.ids[0] ?? '', back)).toBe(true);
    expect(back.data).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
    await clock.settle();
    expect([kept(), clock.pending]).toEqual([0, 0]);
  });

  test('nothing when the session has ended', async () => {
    const { begin, session, kept, clock, listening } = open();
    const [standing, live, away, complete] = [new Out(), new Out(), new Out(), new Out()];
    session.attach(standing);
    begin(live).emit(note('x'));
    begin(away).closeStream();
    const exchange = begin(complete);
    exchange.closeStream();
    exchange.finish(done);
    standing.leave();
    listening[0]?.emit(note('x'));
    expect([kept(), clock.pending]).toEqual([3, 2]);
    session.end();
    expect([kept(), clock.pending, live.at]).toEqual([0, 0, 'ended']);
    for (const out of [standing, live, away, complete]) expect(session.resume(out.ids[0] ?? '', new Out())).toBe(false);
    await clock.settle();
  });
});

describe('callers that have gone', () => {
  test('before the stream was opened: they know no id, so nothing is kept for them', () => {
    const { begin, kept, clock } = open();
    const out = new Out();
    const exchange = begin(out);
    out.leave();
    expect(exchange.emit(note('x'))).toBe(false);
    exchange.finish(done);
    expect([kept(), clock.pending]).toEqual([0, 0]);
  });

  test('whoever waits for room goes on when the caller leaves, and when the stream is cut', async () => {
    for (const how of ['leaves', 'is cut'] as const) {
      const { begin, session } = open();
      const out = new Out();
      out.flows = false;
      const exchange = begin(out);
      expect(exchange.emit(note('one'))).toBe(false);
      const waiting = Promise.all([exchange.drained(), exchange.drained()]);
      if (how === 'leaves') out.leave();
      else exchange.closeStream();
      await waiting;
      expect(exchange.emit(note('two'))).toBe(true);
      const back = new Out();
      session.resume(out.ids[0] ?? '', back);
      expect(back.data).toEqual([told('one'), told('two')]);
    }
  });

  test('on a connection that was given up already: the one they came back on goes on', () => {
    const { begin, session } = open();
    const out = new Out();
    const exchange = begin(out);
    exchange.emit(note('one'));
    const back = new Out();
    session.resume(out.ids[0] ?? '', back);
    out.leave();
    exchange.emit(note('two'));
    expect(back.data).toEqual([told('one'), told('two')]);
  });

  test('and come back on a way that is full: room is waited for there', async () => {
    const { begin, session, clock } = open();
    const out = new Out();
    const exchange = begin(out);
    exchange.closeStream();
    const back = new Out();
    back.flows = false;
    session.resume(out.ids[0] ?? '', back);
    expect(exchange.emit(note('x'))).toBe(false);
    let room = false;
    void exchange.drained().then(() => (room = true));
    await clock.settle();
    expect(room).toBe(false);
    back.flow();
    await clock.settle();
    expect(room).toBe(true);
  });
});

describe('the stream of the session', () => {
  test('a change that comes again replaces the one before: the log does not grow with time', () => {
    const { session, listening, kept } = open();
    const out = new Out();
    session.attach(out);
    const changes = ['tools/list_changed', 'resources/updated'];
    for (let i = 0; i < 50; i++) for (const name of changes) listening[0]?.emit(note(name));
    expect([kept(), out.data.length]).toEqual([2, 100]);
    const back = new Out();
    session.resume(out.ids.at(-3) ?? '', back);
    expect(back.data).toEqual(changes.map(told));
  });

  test('what is no change is told as often as it was said', () => {
    const { session, listening, kept } = open();
    const out = new Out();
    session.attach(out);
    listening[0]?.emit(note('first'));
    out.leave();
    for (const name of ['message', 'tools/list_changed', 'message', 'tools/list_changed'])
      listening[0]?.emit(note(name));
    expect(kept()).toBe(4);
    const back = new Out();
    session.resume(out.ids.at(-1) ?? '', back);
    expect(back.data).toEqual([told('message'), told('message'), told('tools/list_changed')]);
  });

  test('is kept five minutes for a caller who is away; after them it begins anew', async () => {
    const { session, listening, clock } = open();
    const out = new Out();
    session.attach(out);
    expect(session.streaming).toBe(true);
    out.leave();
    expect(session.streaming).toBe(false);
    listening[0]?.emit(note('one'));
    await clock.advance(5 * 60_000 - 1);
    const back = new Out();
    session.resume(out.ids[0] ?? '', back);
    expect([back.data, clock.pending, listening.length]).toEqual([[told('one')], 0, 1]);
    back.leave();
    await clock.advance(5 * 60_000);
    expect(listening[0]?.cancel.cancelled).toBe(true);
    const late = new Out();
    expect(session.resume(out.ids[0] ?? '', late)).toBe(true);
    expect([late.data, listening.length, clock.pending]).toEqual([[], 2, 0]);
    listening[1]?.emit(note('two'));
    expect(late.data).toEqual([told('two')]);
    session.end();
  });

  test('a caller that has gone before it was opened is waited for like any other', async () => {
    const { session, clock, listening } = open();
    const out = new Out();
    out.at = 'gone';
    session.attach(out);
    expect([session.streaming, listening[0]?.emit(note('x'))]).toEqual([false, true]);
    const again = new Out();
    expect(session.attach(again)).toBe(true);
    expect([again.data, listening.length, clock.pending]).toEqual([[], 2, 0]);
  });
});
