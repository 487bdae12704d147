/** The ways handlers are written, good and bad, and what each has to come to with callers of both generations. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isSuspended } from '../../src/base/suspended.ts';
import type { Context } from '../../src/server/context.ts';
import { nextTurn } from '../../src/testing/settle.ts';

/** What a handler did that others can see. */
export type Effects = string[];

/** What is expected of a kind with callers of one generation. */
export interface Expected {
  /** The keys of each round. Legacy callers are asked one by one; what they are asked is not written down. */
  readonly rounds?: readonly (readonly string[])[];
  readonly text?: string;
  /** Of the tool's failure. */
  readonly failure?: RegExp;
  readonly effects?: readonly string[];
  /** What the author is told, in order. */
  readonly warnings?: readonly RegExp[];
}

export interface Kind {
  readonly title: string;
  make(effects: Effects): (ctx: Context) => Promise<unknown>;
  readonly modern: Expected;
  readonly legacy: Expected;
  /** A rejection is seen by nobody for a while, as in programs; only a process of its own bears that here. */
  readonly unseen?: boolean;
}

const schema = { type: 'object', properties: { v: { type: 'string' } }, required: ['v'] };

/** A question; its message is its key, so that callers who see no keys can tell it. */
async function ask(ctx: Context, key: string, message = key): Promise<string> {
  const { v } = await ctx.elicit(key, { message, schema });
  return v as string;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

const isLegacy = (ctx: Context): boolean => ctx.caller.session !== undefined;
const store = new AsyncLocalStorage<string>();

const swallowed = /returned after a suspension/;
const wentOn = /went on after a suspension/;

export const kinds: readonly Kind[] = [
  {
    title: 'one question after the other',
    make: () => async (ctx) => (await ask(ctx, 'a')) + (await ask(ctx, 'b')),
    modern: { rounds: [['a'], ['b']], text: 'ab' },
    legacy: { text: 'ab' },
  },
  {
    title: 'questions side by side',
    make: () => async (ctx) => (await Promise.all([ask(ctx, 'a'), ask(ctx, 'b')])).join(''),
    modern: { rounds: [['a', 'b']], text: 'ab' },
    legacy: { text: 'ab' },
  },
  {
    title: 'questions said to be side by side',
    make: () => async (ctx) => {
      const { a, b } = await ctx.ask({ a: { message: 'a', schema }, b: { message: 'b', schema } });
      return String(a['v']) + String(b['v']);
    },
    modern: { rounds: [['a', 'b']], text: 'ab' },
    legacy: { text: 'ab' },
  },
  {
    title: 'side by side, one of them a little later',
    make: () => async (ctx) => {
      const later = async (): Promise<string> => {
        for (let gap = 0; gap < 4; gap++) await Promise.resolve();
        return ask(ctx, 'b');
      };
      return (await Promise.all([ask(ctx, 'a'), later()])).join('');
    },
    modern: { rounds: [['a', 'b']], text: 'ab' },
    legacy: { text: 'ab' },
  },
  {
    title: 'beside a slow step that leads to another question',
    make: (effects) => async (ctx) => {
      const slow = async (): Promise<string> => {
        await ctx.step('s', async () => {
          effects.push('step');
          await turns(20);
        });
        return ask(ctx, 'b');
      };
      return (await Promise.all([ask(ctx, 'a'), slow()])).join('');
    },
    modern: { rounds: [['a', 'b']], text: 'ab', effects: ['step'] },
    legacy: { text: 'ab', effects: ['step'] },
  },
  {
    title: 'beside a slow step that begins a little later',
    make: (effects) => async (ctx) => {
      const slow = async (): Promise<string> => {
        for (let gap = 0; gap < 20; gap++) await Promise.resolve();
        await ctx.step('s', async () => {
          await turns(20);
          effects.push('step');
        });
        return ask(ctx, 'b');
      };
      return (await Promise.all([ask(ctx, 'a'), slow()])).join('');
    },
    modern: { rounds: [['a', 'b']], text: 'ab', effects: ['step'] },
    legacy: { text: 'ab', effects: ['step'] },
  },
  {
    title: 'every error becomes a text',
    make: () => async (ctx) => {
      try {
        return await ask(ctx, 'a');
      } catch (error) {
        return `failed: ${String(error)}`;
      }
    },
    modern: { rounds: [['a']], text: 'a', warnings: [swallowed] },
    legacy: { text: 'a' },
  },
  {
    title: 'rolls back and throws on',
    make: (effects) => async (ctx) => {
      try {
        return await ask(ctx, 'a');
      } catch (error) {
        effects.push('rollback');
        throw error;
      }
    },
    modern: { rounds: [['a']], text: 'a', effects: ['rollback'] },
    legacy: { text: 'a' },
  },
  {
    title: 'a default in place of every error, then an effect',
    make: (effects) => async (ctx) => {
      const name = await ask(ctx, 'a').catch(() => 'anon');
      effects.push(`create ${name}`);
      return name;
    },
    // The one thing that nothing can prevent: plain code that goes on. It is told of.
    modern: { rounds: [['a']], text: 'a', effects: ['create anon', 'create a'], warnings: [swallowed] },
    legacy: { text: 'a', effects: ['create a'] },
  },
  {
    title: 'a default in place of every error, then an effect in a step',
    make: (effects) => async (ctx) => {
      const name = await ask(ctx, 'a').catch(() => 'anon');
      await ctx.step('create', () => void effects.push(`create ${name}`));
      return name;
    },
    modern: { rounds: [['a']], text: 'a', effects: ['create a'], warnings: [wentOn] },
    legacy: { text: 'a', effects: ['create a'] },
  },
  {
    title: 'gives back in finally',
    make: (effects) => async (ctx) => {
      effects.push('open');
      try {
        return await ask(ctx, 'a');
      } finally {
        effects.push('close');
      }
    },
    modern: { rounds: [['a']], text: 'a', effects: ['open', 'close', 'open', 'close'] },
    legacy: { text: 'a', effects: ['open', 'close'] },
  },
  {
    title: 'within a transaction',
    make: (effects) => {
      const transaction = async (work: () => Promise<string>): Promise<string> => {
        effects.push('BEGIN');
        try {
          const result = await work();
          effects.push('COMMIT');
          return result;
        } catch (error) {
          effects.push('ROLLBACK');
          throw error;
        }
      };
      return (ctx) => transaction(() => ask(ctx, 'a'));
    },
    modern: { rounds: [['a']], text: 'a', effects: ['BEGIN', 'ROLLBACK', 'BEGIN', 'COMMIT'] },
    legacy: { text: 'a', effects: ['BEGIN', 'COMMIT'] },
  },
  {
    title: 'raced against a timeout',
    make: (effects) => async (ctx) => {
      const timeout = isLegacy(ctx) ? new Promise<never>(() => undefined) : turns(50).then(() => 'timeout');
      const first = await Promise.race([ask(ctx, 'a'), timeout]);
      if (first === 'timeout') effects.push('escalated');
      return first;
    },
    modern: { rounds: [['a']], text: 'a' },
    legacy: { text: 'a' },
  },
  {
    title: 'allSettled',
    make: (effects) => async (ctx) => {
      const settled = await Promise.allSettled([ask(ctx, 'a'), ask(ctx, 'b')]);
      effects.push(settled.map(({ status }) => status).join());
      return 'x';
    },
    modern: {
      rounds: [['a', 'b']],
      text: 'x',
      effects: ['rejected,rejected', 'fulfilled,fulfilled'],
      warnings: [swallowed],
    },
    legacy: { text: 'x', effects: ['fulfilled,fulfilled'] },
  },
  {
    title: 'tries again after every error but one',
    make: (effects) => {
      let tries = 0;
      return async (ctx) => {
        for (;;) {
          if (tries++ > 1_000) return effects.push('spins');
          try {
            return await ask(ctx, 'a');
          } catch (error) {
            if ((error as { code?: unknown }).code === 'duplicate_key') throw error;
          }
        }
      };
    },
    modern: { rounds: [['a']], text: 'a', warnings: [wentOn] },
    legacy: { text: 'a' },
  },
  {
    title: 'tries again after every error',
    make: (effects) => {
      let tries = 0;
      return async (ctx) => {
        for (;;) {
          if (tries++ > 1_000) return effects.push('spins');
          try {
            return await ask(ctx, 'a');
          } catch {
            // Again.
          }
        }
      };
    },
    modern: { rounds: [['a']], text: 'a', warnings: [wentOn] },
    legacy: { text: 'a' },
  },
  {
    title: 'asks because a step failed',
    make: (effects) => async (ctx) => {
      try {
        await ctx.step('deploy', () => {
          effects.push('deploy');
          throw new Error('boom');
        });
        return 'deployed';
      } catch (error) {
        const again = await ask(ctx, 'again', (error as Error).message === 'boom' ? 'again' : 'lost');
        await ctx.step('deploy2', () => void effects.push('deploy2'));
        return again;
      }
    },
    modern: { rounds: [['again']], text: 'again', effects: ['deploy', 'deploy2'] },
    legacy: { text: 'again', effects: ['deploy', 'deploy2'] },
  },
  {
    title: 'within an AsyncLocalStorage',
    make: (effects) => (ctx) =>
      store.run('kept', async () => {
        try {
          return await ask(ctx, 'a');
        } finally {
          effects.push(String(store.getStore()));
        }
      }),
    modern: { rounds: [['a']], text: 'a', effects: ['kept', 'kept'] },
    legacy: { text: 'a', effects: ['kept'] },
  },
  {
    title: 'a question nobody waits for',
    make: () => async (ctx) => {
      void ctx.elicit('a', { message: 'a', schema });
      return 'done';
    },
    modern: { rounds: [], text: 'done', warnings: [/nobody waited for/] },
    legacy: { text: 'done', warnings: [/"a" failed, and nobody waited for it/] },
  },
  {
    title: 'a question that looks at the clock',
    make: () => {
      let now = 0;
      return async (ctx) => {
        const { v } = await ctx.elicit('a', { message: `it is ${now++}`, schema, bound: true });
        return String(v);
      };
    },
    modern: { rounds: [['a'], ['a'], ['a'], ['a']], failure: /"a" was put 4 times/ },
    legacy: { text: 'it is 0' },
  },
  {
    title: 'a key twice',
    make: () => async (ctx) => (await ask(ctx, 'a')) + (await ask(ctx, 'a')),
    modern: { rounds: [['a']], failure: /"a" was used already/ },
    legacy: { failure: /"a" was used already/ },
  },
  {
    title: 'a key that was something else before',
    make: () => {
      let run = 0;
      return async (ctx) => {
        if (run++ < 2) await ask(ctx, 'a');
        else await ctx.step('a', () => 1);
        if (!isLegacy(ctx)) await ask(ctx, 'b');
        return '1';
      };
    },
    modern: { rounds: [['a'], ['b']], failure: /"a" is a step in this round and was a form before/ },
    legacy: { text: '1' },
  },
  {
    title: 'another way each time',
    make: () => {
      let run = 0;
      return async (ctx) => {
        if (run++ === 0) await ask(ctx, 'a');
        return ask(ctx, 'b');
      };
    },
    modern: { rounds: [['a'], ['b']], text: 'b' },
    legacy: { text: 'b' },
  },
  {
    title: 'a step that gives a Date',
    make: (effects) => async (ctx) => {
      const date: unknown = await ctx.step('d', () => new Date(0));
      effects.push(typeof date);
      return ask(ctx, 'a');
    },
    modern: { rounds: [['a']], text: 'a', effects: ['string', 'string'] },
    legacy: { text: 'a', effects: ['string'] },
  },
  {
    title: 'a step that gives 20 KB',
    make: () => async (ctx) => {
      await ctx.step('d', () => 'x'.repeat(20_000));
      return ask(ctx, 'a');
    },
    modern: { rounds: [], failure: /"d" has 20002 bytes, at most 16384/ },
    legacy: { failure: /"d" has 20002 bytes, at most 16384/ },
  },
  {
    title: 'steps that give more than a state can hold',
    make: () => async (ctx) => {
      for (let at = 0; at < 10; at++) await ctx.step(`d${at}`, () => 'x'.repeat(at === 7 ? 14_000 : 12_000));
      return ask(ctx, 'a');
    },
    modern: { rounds: [], failure: /longer than 65536 characters.*"d7" \(140\d\d characters\)/ },
    legacy: { text: 'a' },
  },
  {
    title: 'a failure beside a question',
    make: () => (ctx) => Promise.all([ask(ctx, 'a'), Promise.reject(new Error('real'))]),
    modern: { rounds: [], failure: /^real$/, warnings: [/nobody waited for/] },
    legacy: { failure: /^real$/ },
  },
  {
    title: 'a finally that takes too long',
    make: (effects) => async (ctx) => {
      try {
        return await ask(ctx, 'a');
      } catch (error) {
        // The reply has gone out when the signal aborts.
        if (isSuspended(error)) await aborted(ctx.signal);
        throw error;
      } finally {
        effects.push('late');
      }
    },
    modern: { rounds: [['a']], text: 'a', effects: ['late', 'late'], warnings: [/still runs 1000 ms after/] },
    legacy: { text: 'a', effects: ['late'] },
  },
  {
    title: 'a decline that is caught',
    make: () => async (ctx) => {
      try {
        return await ask(ctx, 'no');
      } catch (error) {
        if (isSuspended(error)) throw error;
        const { name, action } = error as { name: string; action: string };
        return `${name} ${action}`;
      }
    },
    modern: { rounds: [['no']], text: 'DeclinedError decline' },
    legacy: { text: 'DeclinedError decline' },
  },
  {
    title: 'an answer of the wrong type, then a right one',
    make: () => (ctx) => ask(ctx, 'bad'),
    modern: { rounds: [['bad'], ['bad']], text: 'ok' },
    legacy: { text: 'ok' },
  },
  {
    title: 'waited for much later',
    make: () => async (ctx) => {
      const asked = ctx.elicit('a', { message: 'a', schema });
      await turns(20);
      return String((await asked)['v']);
    },
    modern: { rounds: [['a']], text: 'a' },
    legacy: { text: 'a' },
  },
  {
    title: 'what follows from it waited for much later',
    make: () => async (ctx) => {
      const asked = ctx.elicit('a', { message: 'a', schema }).then(({ v }) => String(v));
      await turns(20);
      return asked;
    },
    modern: { rounds: [['a']], text: 'a' },
    legacy: { text: 'a' },
    unseen: true,
  },
  {
    title: 'what wraps it waited for much later',
    make: () => async (ctx) => {
      const asked = ask(ctx, 'a');
      await turns(20);
      return asked;
    },
    modern: { rounds: [['a']], text: 'a' },
    legacy: { text: 'a' },
    unseen: true,
  },
  {
    title: 'a question within a step',
    make: () => (ctx) => ctx.step('s', () => ask(ctx, 'in')),
    modern: { rounds: [], failure: /"in" is asked within the step "s"/ },
    legacy: { failure: /"in" is asked within the step "s"/ },
  },
];
