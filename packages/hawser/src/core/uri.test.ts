import { expect, test } from 'vitest';
import { isUri } from './uri.ts';

test.each([
  'file:///a/b.txt',
  'x:',
  'x://',
  'urn:isbn:0451450523',
  'custom+v1.0-x://host?a=b#c',
  'FILE:///A',
  'x://%41%2f',
  'x://ä/{id}',
  `x:${'a'.repeat(65_534)}`,
])('[RES-013] %.40j is a URI', (text) => {
  expect(isUri(text)).toBe(true);
});

test.each([
  '',
  'not a uri',
  'noscheme',
  '/a/b',
  '//host/a',
  ':x',
  '1x://a',
  'x y://a',
  'x://a b',
  'x://a\n',
  'x://\u0000',
  'x://\u007f',
  'x://%',
  'x://%4',
  'x://%zz',
  `x:${'a'.repeat(65_535)}`,
  5,
  null,
  undefined,
  {},
])('[RES-013] %.40j is none', (text) => {
  expect(isUri(text)).toBe(false);
});
