import { expect, test } from 'vitest';
import { HeadedOutgoing } from './headed-outgoing.ts';
import { nowhere } from './legacy-outgoing.ts';

test('headers are added to answers and streams; what an answer varies by is joined', () => {
  const seen: object[] = [];
  const out = {
    ...nowhere,
    send: (_: number, headers: object) => void seen.push(headers),
    open: (headers: object) => void seen.push(headers),
  };
  const headed = new HeadedOutgoing(out, { vary: 'Origin', 'x-more': '1' });
  headed.send(200, { vary: 'Authorization', 'x-own': '2' });
  headed.open({ 'x-own': '3' });
  new HeadedOutgoing(out, { 'x-more': '4' }).send(200, { vary: 'Accept' });
  expect(seen).toEqual([
    { vary: 'Authorization, Origin', 'x-more': '1', 'x-own': '2' },
    { vary: 'Origin', 'x-more': '1', 'x-own': '3' },
    { vary: 'Accept', 'x-more': '4' },
  ]);
});
