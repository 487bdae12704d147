import { anything, assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { noteText, revisions, wireOf } from '../wire/index.ts';
import { subscribedText } from './subscribed-text.ts';

const method = 'notifications/resources/updated';

test('it is what it would be, written for each one anew', () => {
  const id = oneof(integer(), string());
  const odd = oneof(string(), constantFrom('\u0000subscription', '"\\u0000subscription"', '$&'), anything());
  assert(
    property(odd, odd, id, id, (uri, own, first, second) => {
      const params = { uri, _meta: { own } } as JsonObject;
      let note;
      try {
        note = { method, params: JSON.parse(JSON.stringify(params)) as JsonObject };
      } catch {
        return; // not JSON
      }
      for (const revision of revisions)
        for (const each of [first, second, first])
          expect(subscribedText(note, revision, each)).toBe(
            noteText(method, wireOf(revision).lower.subscribed(note.params, each)),
          );
    }),
  );
});

test('it is written once for all who get the same notice', () => {
  let looks = 0;
  const note = {
    method,
    get params() {
      looks++;
      return { uri: 'x://a' };
    },
  };
  for (let id = 0; id < 100; id++) for (const revision of revisions) subscribedText(note, revision, id);
  expect(looks).toBe(revisions.length);
});
