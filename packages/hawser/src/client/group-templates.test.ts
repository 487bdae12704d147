import { describe, expect, test } from 'vitest';
import type { Logger } from '../base/logger.ts';
import { Templates } from './group-templates.ts';

function logged(): { lines: string[]; logger: Logger } {
  const lines: string[] = [];
  const take = (line: string): void => void lines.push(line);
  return { lines, logger: { debug: take, info: take, warn: take, error: take } };
}

function of(...texts: string[]): { lines: string[]; templates: Templates } {
  const { lines, logger } = logged();
  return { lines, templates: new Templates('a', texts, logger) };
}

const variables = (count: number): string => Array.from({ length: count }, (_, at) => `{+v${at}}a`).join('');

describe('the templates of a server', () => {
  test('take what one of them takes; those that are none take nothing', () => {
    const { lines, templates } = of('{broken', 'y://{a}{b}', 'x://{id}');
    expect([templates.take('x://1'), templates.take('y://1'), templates.take('z://1')]).toEqual([true, false, false]);
    expect(lines).toEqual([]);
  });

  test('of 2,000 characters and 16 variables count, larger ones do not', () => {
    const long = `x://${'l'.repeat(1_992)}`;
    const { lines, templates } = of(`${long}{id}`, `y://${variables(16)}`, `${long}{+id}`, `z://${variables(17)}`);
    expect(templates.take(`${long}1`)).toBe(true);
    expect(templates.take(`y://${'xa'.repeat(16)}`)).toBe(true);
    expect(templates.take(`${long}1/2`)).toBe(false);
    expect(templates.take(`z://${'xa'.repeat(17)}`)).toBe(false);
    expect(lines).toEqual([
      'server "a": 2 URI templates are left out: 1000 are looked at, each of 2000 characters and 16 variables at most',
    ]);
  });

  test('past the thousandth are not looked at', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => `t${at}://{x}`);
    const { lines, templates } = of(...many);
    expect([templates.take('t999://1'), templates.take('t1000://1')]).toEqual([true, false]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch('1 URI templates are left out');
  });

  test('a search that costs too much is given up, and the next one is not', () => {
    const costly = Array.from({ length: 998 }, (_, at) => `${variables(16)}b${at}`);
    const { lines, templates } = of('x://{id}', ...costly, 'late://{+x}');
    const uri = `late://${'a'.repeat(60_000)}`;
    expect(templates.take(uri)).toBe(false);
    expect(lines).toEqual([
      'server "a": its URI templates cost too much to look through for a URI of 60007 characters: ' +
        'it counts as not offering it',
    ]);
    expect([templates.take('x://1'), templates.take('late://1')]).toEqual([true, true]);
    expect(of('late://{+x}').templates.take(uri)).toBe(true);
  });
});
