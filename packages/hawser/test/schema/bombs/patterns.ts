import { named, type Bomb } from './bomb.ts';

/** Those that are regular expressions. */
export const patternBombs: readonly Bomb[] = [
  { name: '^(a+)+$ on 50,000 characters', schema: () => ({ pattern: '^(a+)+$' }), outcome: 'invalid', steps: 500_000 },
  { name: '(a|a)*b on 50,000 characters', schema: () => ({ pattern: '(a|a)*b' }), outcome: 'invalid', steps: 500_000 },
  { name: '(.*a){12} on 50,000 characters', schema: () => ({ pattern: '^(.*a){12}$' }), outcome: 'budget' },
  { name: 'x{1,1000} twice over', schema: () => ({ pattern: '((a{1,1000}){1,1000}){1,1000}' }), outcome: 'pattern' },
  { name: 'groups 4,999 deep', schema: () => ({ pattern: '('.repeat(4_999) + ')'.repeat(4_999) }), outcome: 'pattern' },
  { name: 'a reference, which is not linear', schema: () => ({ pattern: '^(a+)\\1+$' }), outcome: 'pattern' },
  { name: '10,001 characters', schema: () => ({ pattern: 'a'.repeat(10_001) }), outcome: 'pattern' },
  {
    name: '5,000 patterns',
    schema: () => ({ patternProperties: named(5_000, () => true) }),
    outcome: 'pattern',
  },
].map((bomb) => ({ ...bomb, value: () => `${'a'.repeat(50_000)}!` }) as Bomb);
