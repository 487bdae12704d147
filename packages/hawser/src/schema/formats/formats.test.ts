import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';

const asserted = async (format: string): Promise<(value: unknown) => boolean> =>
  (await compile({ format }, { assertFormats: true })).isValid;

describe('formats that are asserted', () => {
  test.each<[string, string[], string[]]>([
    ['date', ['2024-02-29', '0001-01-01'], ['2023-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '2024-01-01\n']],
    ['time', ['23:59:60Z', '00:29:60-23:30', '12:00:00.5+01:00'], ['23:59:60+01:00', '12:00:00', '24:00:00Z']],
    ['date-time', ['2024-02-29T12:00:00Z', '2024-02-29t12:00:00z'], ['2024-02-30T12:00:00Z', '2024-02-29 12:00:00Z']],
    ['duration', ['P1Y2M3DT4H5M6S', 'PT1M2S', 'P2W'], ['P', 'PT', 'P1Y2D', 'PT1H2S', 'P1W2D', 'PT0.5S']],
    [
      'email',
      ['a.b@c.test', '"a b"@c.test', 'a@[127.0.0.1]', 'a@[IPv6:::1]'],
      ['a@', '@b', 'a..b@c.test', 'a@[1.2.3]', 'ä@c.test'],
    ],
    ['idn-email', ['ä@bücher.test'], ['ä', 'ä@-x.test']],
    ['hostname', ['a', 'a-b.test', 'xn--bcher-kva.test'], ['', 'a.', '-a', 'a_b', 'xn--X', `${'a'.repeat(64)}.test`]],
    ['idn-hostname', ['bücher.test', 'l·l', 'か・か'], ['a·l', '・', '-ü', '\u0300a', 'a b']],
    ['ipv4', ['1.2.3.4', '255.255.255.255'], ['1.2.3', '256.1.1.1', '01.2.3.4', '1.2.3.4\n']],
    [
      'ipv6',
      ['::', '::1', '1:2:3:4:5:6:7:8', '1::1.2.3.4'],
      ['1', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7::8:9', '::1%eth0'],
    ],
    [
      'uri',
      ['http://a.test/b?c#d', 'urn:a:b', 'http://[::1]:80/', 'mailto:a@b'],
      ['a', '//a', 'http://a b', 'http://[::1', 'http://a/%zz', '1a:b'],
    ],
    ['uri-reference', ['', 'a', '//a', '#b', './a:b'], ['a b', '1:b', '/[a]', '//a@b@c']],
    ['iri', ['http://ä.test/ö?ü'], ['ä', 'http://ä b']],
    ['iri-reference', ['ä', '#ö'], ['ä b']],
    ['uri-template', ['a{b}{?c,d*}{e:3}'], ['{', '{}', '{a', 'a b', '{a:0}']],
    [
      'uuid',
      ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'],
      ['2eb8aa08aa9811eab4aa73b441d16380', '{2eb8aa08-aa98-11ea-b4aa-73b441d16380}'],
    ],
    ['json-pointer', ['', '/a~1b/~0', '/'], ['a', '/~', '/~2']],
    ['relative-json-pointer', ['0', '1/a', '0#'], ['/a', '01', '-1', '0##']],
    ['regex', ['^a$', '(?<=a)b'], ['(', 'a++', '\\a']],
  ])('%s', async (format, right, wrong) => {
    const isValid = await asserted(format);
    expect(right.filter((text) => !isValid(text))).toEqual([]);
    expect(wrong.filter((text) => isValid(text))).toEqual([]);
    expect(isValid(5)).toBe(true);
  });

  test('long texts are no trouble', async () => {
    const long = [
      `a@${'a-'.repeat(50_000)}`,
      `http://${'a:'.repeat(50_000)}@`,
      `"${'\\a'.repeat(50_000)}`,
      '1'.repeat(100_000),
      `P${'1'.repeat(100_000)}`,
      '{a'.repeat(50_000),
      'a.'.repeat(50_000),
      `/${'~0'.repeat(50_000)}~`,
      '1:'.repeat(50_000),
    ];
    for (const format of [
      'email',
      'idn-email',
      'hostname',
      'idn-hostname',
      'uri',
      'iri',
      'iri-reference',
      'uri-template',
      'duration',
      'ipv4',
      'ipv6',
      'json-pointer',
      'date-time',
    ]) {
      const isValid = await asserted(format);
      for (const text of long) expect(isValid(text)).toBeTypeOf('boolean');
    }
  });
});
