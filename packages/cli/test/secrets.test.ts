import { describe, expect, test } from 'vitest';
import { Mask, secretsOf } from '../src/secrets.ts';

describe('secrets', () => {
  const options = {
    headers: { Authorization: 'Bearer tok-123', 'X-Key': 'k"ey\\9', 'X-On': '1' },
    env: { PW: 'hunter2' },
  };
  const target = { kind: 'url', url: new URL('https://host/mcp?key=q-s%40cret') } as const;
  const mask = new Mask(secretsOf(options, target));

  test.each([
    ['invalid token tok-123', 'invalid token [secret]'],
    ['Bearer tok-123!', '[secret]!'],
    [JSON.stringify({ key: 'k"ey\\9' }), '{"key":"[secret]"}'],
    ['hunter2 and q-s@cret', '[secret] and [secret]'],
    ['GET /mcp?key=q-s%40cret', 'GET /mcp[secret]'],
    ['1 stays: too short to be one', '1 stays: too short to be one'],
  ])('%s', (text, expected) => {
    expect(mask.hide(text)).toBe(expected);
  });

  test('what is typed on the way is masked from then on', () => {
    const typed = new Mask(['abcd']);
    expect(typed.hide('abcd efgh')).toBe('[secret] efgh');
    typed.add('efgh', 'x', 'abcdef');
    expect(typed.hide('abcdef abcd efgh x')).toBe('[secret] [secret] [secret] x');
  });
});
