import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { KeepAlive } from '../transport/keep-alive.ts';
import { NodeOutgoing } from './http-outgoing.ts';

/** Answers one request by `answer`; resolves with what was seen when the response is closed. */
async function answering(answer: (out: NodeOutgoing, seen: string[]) => void, leaves: boolean): Promise<string[]> {
  const seen: string[] = [];
  let closed!: () => void;
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const http = createServer((_, response) => {
    const out = new NodeOutgoing(response, { keepAlive: new KeepAlive(systemClock, Infinity), stalledMs: Infinity });
    for (const name of ['gone', 'gone too']) out.onGone(() => seen.push(name));
    answer(out, seen);
    response.once('close', closed);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', agent: false }, (response) => {
    if (leaves) request.destroy();
    else response.resume();
  });
  request.on('error', () => undefined);
  await closing;
  await systemClock.turn();
  return seen;
}

const headers = { 'content-type': 'text/plain' };
const passedOn = (seen: string[]) => (): void => void seen.push('passed on');

test('a caller that got all of it has not gone', async () => {
  expect(await answering((out) => out.send(200, headers, 'all'), false)).toEqual([]);
  const stream = answering((out, seen) => {
    out.open(headers);
    out.end('all', passedOn(seen));
  }, false);
  expect(await stream).toEqual(['passed on']);
});

test('one that leaves an open stream has, and whoever asks later learns it at once', async () => {
  let late!: NodeOutgoing;
  const stream = answering((out) => {
    late = out;
    out.open(headers);
  }, true);
  expect(await stream).toEqual(['gone', 'gone too']);
  const seen: string[] = [];
  late.onGone(() => seen.push('later'));
  expect([seen, late.write('x'), late.unsent]).toEqual([['later'], false, false]);
});
