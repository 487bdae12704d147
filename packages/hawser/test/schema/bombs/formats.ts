/** Formats that are asserted. */
import { times, type Bomb } from './bomb.ts';

export const formatBombs: readonly Bomb[] = [
  {
    name: 'idn-email with a domain of 500,000 characters that have to be composed',
    schema: () => ({ format: 'idn-email' }),
    value: () => `a@e${'\u0301\u0323'.repeat(250_000)}`,
    outcome: 'invalid' as const,
  },
  {
    name: 'regex with 20,000 properties of Unicode',
    schema: () => ({ format: 'regex' }),
    value: () => `[${'\\p{L}'.repeat(20_000)}]`,
    outcome: 'budget' as const,
  },
  {
    name: '10,000 times idn-hostname of Arabic digits',
    schema: () => ({ items: { anyOf: [{ format: 'idn-hostname' }, true] } }),
    value: () => times(10_000, () => '\u0660'.repeat(253)),
    outcome: 'budget' as const,
  },
  {
    name: '20,000 times regex that is none',
    schema: () => ({ items: { anyOf: [{ format: 'regex' }, true] } }),
    value: () => times(20_000, () => '('),
    outcome: 'budget' as const,
  },
  {
    name: '20,000 times hostname that encodes Unicode',
    schema: () => ({ items: { anyOf: [{ format: 'hostname' }, true] } }),
    value: () => times(20_000, () => 'xn--p1ai.xn--p1ai'),
    outcome: 'budget' as const,
  },
].map((bomb) => ({ ...bomb, options: { assertFormats: true } }));
