import { describe, expect, test } from 'vitest';
import { collect } from './fixtures/output.ts';

describe('the live line', () => {
  test('is replaced by the next one, and taken away before anything else is written', () => {
    const { output, text } = collect();
    output.live('1 of 2');
    output.live('2 of 2');
    output.line('done');
    output.clearLive();
    expect(text()).toBe('\r1 of 2\x1b[K\r2 of 2\x1b[K\r\x1b[Kdone\n');
  });
});

describe('while a question stands on the terminal', () => {
  test('lines wait, the live line is taken away and not shown', () => {
    const { output, text } = collect();
    output.live('1 of 2');
    output.hold();
    const asked = text();
    output.line('a');
    output.live('2 of 2');
    output.line('b');
    expect(text()).toBe(asked);
    output.release();
    expect(text()).toBe('\r1 of 2\x1b[K\r\x1b[Ka\nb\n');
    output.line('c');
    expect(text()).toMatch(/c\n$/);
  });

  test.each([
    [1000, 1000, 0],
    [1001, 501, 500],
  ])('of %i lines %i are kept', (lines, kept, dropped) => {
    const { output, text } = collect();
    output.hold();
    for (let i = 1; i <= lines; i++) output.line(`line ${i}`);
    output.release();
    const written = text().trimEnd().split('\n');
    expect(written.at(-1)).toBe(`line ${lines}`);
    expect(written.filter((line) => line.startsWith('line'))).toHaveLength(kept);
    if (dropped > 0) expect(written[0]).toBe(`… ${dropped} lines are left out`);
  });
});
