/** What a server does that asks a person, of callers of every revision (2026-07-28 client/elicitation). */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ArgumentError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { isSuspended } from '../../../../src/base/suspended.ts';
import type { AnySchema } from '../../../../src/schema/standard.ts';
import type { Context } from '../../../../src/server/context.ts';
import { Server } from '../../../../src/server/server.ts';
import { VirtualClock } from '../../../../src/testing/clock.ts';
import { gate } from '../../../support/http.ts';
import {
  accept,
  drive,
  everything,
  legacyOn,
  linkTo,
  modernWays,
  textOf,
  toolCall,
  type Answering,
  type Asked,
  type Outcome,
} from '../../../support/rounds.ts';
import { openLink, type LinkName, type LinkOptions } from '../../../support/links.ts';
import { recorder } from '../../../support/stdio.ts';

/** A server with one tool. */
function serving(
  run: (ctx: Context) => unknown,
  options: Partial<ConstructorParameters<typeof Server>[0]> = {},
): Server {
  const server = new Server({ name: 's', version: '1', ...options });
  server.tool('t', {}, async (_, ctx) => {
    const value = await run(ctx);
    return typeof value === 'string' ? value : JSON.stringify(value ?? null);
  });
  return server;
}

/** Runs a handler for a modern caller. */
function modernly(run: (ctx: Context) => unknown, answering: Answering, declared = everything): Promise<Outcome> {
  return drive(linkTo(serving(run), 'direct'), toolCall('t', {}, {}, declared), answering);
}

const n = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const asksForms = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;

/** Runs a handler for a caller of any revision. */
async function run(
  revision: (typeof asksForms)[number],
  handler: (ctx: Context) => unknown,
  answering: Answering,
): Promise<Outcome> {
  if (revision === '2026-07-28') return modernly(handler, answering);
  return (await legacyOn(serving(handler), 'direct', answering, revision)).call('t');
}

describe('Elicitation Requests: forms', () => {
  /** The schema that is sent for a schema. */
  async function sentFor(schema: AnySchema): Promise<unknown> {
    let sent: unknown;
    await modernly(
      (ctx) => ctx.tryElicit('k', { message: 'm', schema }),
      ({ params }) => {
        sent = params['requestedSchema'];
        return { action: 'cancel' };
      },
    );
    return sent;
  }

  test('[ELI-005] open ends of a range, which forms do not have, are sent as what they come to', async () => {
    const plain = {
      type: 'object',
      properties: {
        n: { type: 'number', exclusiveMinimum: 0.5, exclusiveMaximum: 3 },
        i: { type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 3 },
        both: { type: 'integer', minimum: 2, exclusiveMinimum: 0, maximum: 3, exclusiveMaximum: 9 },
      },
    };
    expect(await sentFor(plain)).toEqual({
      type: 'object',
      properties: {
        n: { type: 'number', minimum: 0.5, maximum: 3 },
        i: { type: 'integer', minimum: 1, maximum: 2 },
        both: { type: 'integer', minimum: 2, maximum: 3 },
      },
    });
  });

  test('[ELI-004 ELI-005 ELI-007] a flat object of what forms have, defaults included', async () => {
    const schema = z.object({
      text: z.string().min(1).max(9).describe('What is shown').default('a'),
      mail: z.email(),
      at: z.iso.datetime().optional(),
      count: z.int().min(1).max(5).default(2),
      share: z.number().optional(),
      sure: z.boolean().default(false),
    });
    expect(await sentFor(schema)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 9, description: 'What is shown', default: 'a' },
        mail: { type: 'string', format: 'email' },
        at: { type: 'string', format: 'date-time' },
        count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
        share: { type: 'number' },
        sure: { type: 'boolean', default: false },
      },
      required: ['mail'],
    });
  });

  test('[ELI-006] choices of every kind', async () => {
    const titled = [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ];
    const sent = await sentFor({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        plain: { type: 'string', enum: ['r', 'g'], default: 'r' },
        titled: { type: 'string', oneOf: titled },
        several: {
          type: 'array',
          items: { type: 'string', enum: ['r', 'g'] },
          minItems: 1,
          maxItems: 2,
          default: ['g'],
        },
        severalTitled: { type: 'array', items: { anyOf: titled }, title: 'Colours' },
        united: { anyOf: [{ type: 'string', const: 'r' }, { const: 'g' }] },
        only: { const: 'r' },
      },
      additionalProperties: false,
    });
    expect(sent).toEqual({
      type: 'object',
      properties: {
        plain: { type: 'string', enum: ['r', 'g'], default: 'r' },
        titled: { type: 'string', oneOf: titled },
        several: {
          type: 'array',
          items: { type: 'string', enum: ['r', 'g'] },
          minItems: 1,
          maxItems: 2,
          default: ['g'],
        },
        severalTitled: { type: 'array', items: { anyOf: titled }, title: 'Colours' },
        united: {
          type: 'string',
          oneOf: [
            { const: 'r', title: 'r' },
            { const: 'g', title: 'g' },
          ],
        },
        only: { type: 'string', enum: ['r'] },
      },
    });
  });

  const flat = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
  test.each<[string, AnySchema, RegExp]>([
    ['an object within', flat({ inner: { type: 'object' } }), /"inner": forms are flat/],
    [
      'a list of texts',
      flat({ tags: { type: 'array', items: { type: 'string' } } }),
      /"tags": a list has to be one of/,
    ],
    ['null', flat({ maybe: { type: ['string', 'null'] } }), /"maybe": it has to be/],
    ['a union', flat({ either: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), /"either": it has to be/],
    ['numbers to choose from', flat({ one: { enum: [1, 2] } }), /"one": it has to be/],
    ['no schema', flat({ any: true }), /"any": it needs a schema/],
    ['anything', flat({ any: {} }), /"any": it has to be/],
    ['a list', { type: 'array', items: {} }, /schema of an object/],
    ['alternatives', { type: 'object', anyOf: [{}] }, /cannot have anyOf/],
    ['zod: nested', z.object({ a: z.object({ b: z.string() }) }), /"a": forms are flat/],
    ['zod: nullable', z.object({ a: z.string().nullable() }), /"a": it has to be/],
  ])('[ELI-004] no form: %s', async (_, schema, message) => {
    await modernly(
      async (ctx) => {
        const asked = ctx.elicit('k', { message: 'm', schema });
        await expect(asked).rejects.toBeInstanceOf(ArgumentError);
        await expect(asked).rejects.toThrow(message);
      },
      () => expect.unreachable(),
    );
  });

  test('[ELI-014] a form that asks for a secret is told of, once', async () => {
    const logger = recorder();
    const schema = flat({
      apiKey: { type: 'string' },
      user_password: { type: 'string' },
      code: { type: 'string', title: 'Your PIN' },
      spinner: { type: 'string' },
      name: { type: 'string' },
    });
    const server = serving((ctx) => ctx.tryElicit('k', { message: 'm', schema }), { logger });
    for (let times = 0; times < 2; times++)
      await drive(linkTo(server, 'direct'), toolCall('t'), () => ({ action: 'cancel' }));
    expect(logger.of('warn')).toEqual([
      't: the form "k" must not ask for secrets (apiKey, user_password, code): the client and its model may read them; ask for a page',
    ]);
  });

  test('[ELI-014] once for each tool and key, however often its schema is made', async () => {
    const logger = recorder();
    const server = serving(
      (ctx) => {
        const secret = () => flat({ password: { type: 'string' } });
        return ctx.ask({ one: { message: 'm', schema: secret() }, two: { message: 'm', schema: secret() } });
      },
      { logger },
    );
    for (let times = 0; times < 3; times++)
      await drive(linkTo(server, 'direct'), toolCall('t'), () => accept({ password: 'x' }));
    expect(logger.of('warn')).toEqual([
      expect.stringContaining('t: the form "one" must not ask for secrets (password)'),
      expect.stringContaining('t: the form "two" must not ask for secrets (password)'),
    ]);
  });

  test.each([undefined, '', 5])('a question needs a message: %j', async (message) => {
    await modernly(
      (ctx) =>
        expect(ctx.elicit('k', { message: message as string, schema: n })).rejects.toThrow(
          'a question needs a message',
        ),
      () => expect.unreachable(),
    );
  });
});

describe('Elicitation Requests: pages', () => {
  const page = (ctx: Context): Promise<unknown> => ctx.tryElicit('k', { message: 'Sign in', url: 'https://s.test/in' });

  test('[ELI-009] modern: mode, message and URL, nothing else', async () => {
    const seen: Asked[] = [];
    const outcome = await modernly(page, (asked) => {
      seen.push(asked);
      return { action: 'accept', content: { stray: 1 } };
    });
    expect(seen).toEqual([
      { key: 'k', method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://s.test/in' } },
    ]);
    expect(textOf(outcome)).toBe('{"action":"accept"}');
  });

  test.each(modernWays)('[ELI-009] 2025-11-25: with an id, another one each time (%s)', async (over) => {
    const ids: unknown[] = [];
    const driver = await legacyOn(serving(page), over, ({ params }) => {
      const { elicitationId, ...rest } = params;
      ids.push(elicitationId);
      expect(rest).toEqual({ mode: 'url', message: 'Sign in', url: 'https://s.test/in' });
      return { action: 'accept' };
    });
    for (let times = 0; times < 2; times++) expect(textOf(await driver.call('t'))).toBe('{"action":"accept"}');
    expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('[ELI-010] a consent is no content', async () => {
    const outcome = await modernly(
      (ctx) => ctx.elicit('k', { message: 'm', url: 'https://s.test' }),
      () => ({ action: 'accept' }),
    );
    expect(textOf(outcome)).toBe('null');
  });

  test.each(['/path', 'not a url', 'javascript:alert(1)', 'file:///etc/passwd', 'https://ann:hunter2@s.test/'])(
    '[ELI-017 ELI-009] no page to send a person to: %s',
    async (url) => {
      await modernly(
        async (ctx) => {
          const error = await ctx.elicit('k', { message: 'm', url }).catch((reason: unknown) => reason);
          expect(error).toBeInstanceOf(ArgumentError);
          expect(String(error)).not.toContain('hunter2');
        },
        () => expect.unreachable(),
      );
    },
  );
});

describe.each(asksForms)('Response Actions (%s)', (revision) => {
  const elicit = (ctx: Context): Promise<unknown> => ctx.elicit('k', { message: 'm', schema: n });
  const tryElicit = (ctx: Context): Promise<unknown> => ctx.tryElicit('k', { message: 'm', schema: n });

  test.each<[JsonObject, unknown]>([
    [accept({ n: 5 }), { action: 'accept', content: { n: 5 } }],
    [
      { action: 'accept', content: { n: 5 }, extra: 1 },
      { action: 'accept', content: { n: 5 } },
    ],
    [{ action: 'cancel' }, { action: 'cancel' }],
    [{ action: 'decline', content: null }, { action: 'decline' }],
    [{ action: 'decline', content: { bad: 1 } }, { action: 'decline' }],
    [{ action: 'cancel', content: 'x' }, { action: 'cancel' }],
    // What drafts called it.
    [{ action: 'reject' }, { action: 'decline' }],
  ])('[BUG-103 ELI-022] %j', async (answer, elicited) => {
    expect(JSON.parse(textOf(await run(revision, tryElicit, () => answer)))).toEqual(elicited);
  });

  test.each([
    ['decline', 'the question "k" was declined'],
    ['cancel', 'the question "k" was cancelled'],
  ])('[ELI-022] a %s that nobody catches is the failure of the tool', async (action, text) => {
    const outcome = await run(revision, elicit, () => ({ action }));
    expect([outcome.result?.['isError'], textOf(outcome)]).toEqual([true, text]);
  });

  test.each<[string, JsonObject]>([
    ['no content, a member is required', { action: 'accept' }],
    ['null, a member is required', { action: 'accept', content: null }],
    ['a text for a number', accept({ n: '5' })],
    ['a fraction', accept({ n: 1.5 })],
  ])('[BUG-103 ELI-021] what does not fit is asked for again: %s', async (_, bad) => {
    let asked = 0;
    const outcome = await run(revision, elicit, () => (asked++ === 0 ? bad : accept({ n: 7 })));
    expect([textOf(outcome), asked]).toEqual(['{"n":7}', 2]);
  });

  test('[ELI-021] the person is told what to correct, and the retry answers the same question', async () => {
    const messages: unknown[] = [];
    const schema = z
      .object({ n: z.number(), code: z.string().regex(/^a+$/, 'only the letter a') })
      .refine(({ n: value }) => value % 2 === 0, 'the number must be even');
    const contents = [
      { n: 1, code: 'aa' },
      { n: 2, code: 'b' },
      { n: 2, code: 'aaa' },
    ];
    const outcome = await run(
      revision,
      async (ctx) => {
        const asked = ctx.elicit('k', { message: 'Which?', schema, bound: true });
        return (await asked).code + String(await ctx.step('after', () => 5));
      },
      ({ params }) => {
        messages.push(params['message']);
        return accept(contents[messages.length - 1] ?? {});
      },
    );
    expect(messages).toEqual([
      'Which?',
      'Which?\nPlease correct: the number must be even',
      'Which?\nPlease correct: code: only the letter a',
    ]);
    expect(textOf(outcome)).toBe('aaa5');
  });

  test('[BUG-103 ELI-021] a person whose content never fits is an error of its own', async () => {
    const codes: unknown[] = [];
    const outcome = await run(
      revision,
      async (ctx) => {
        try {
          return await elicit(ctx);
        } catch (error) {
          if (!isSuspended(error)) codes.push(error);
          throw error;
        }
      },
      () => accept({ n: 'x' }),
    );
    expect(textOf(outcome)).toMatch(/^4 answers to the question "k" did not fit, the last one: n: /);
    expect(codes).toMatchObject([{ code: 'no_fit', origin: 'peer', key: 'k', reason: expect.stringMatching(/^n: /) }]);
  });

  test('[BUG-103 ELI-021] and in the end it is an error', async () => {
    let asked = 0;
    const outcome = await run(revision, elicit, () => {
      asked++;
      return accept({ n: 'x' });
    });
    expect([outcome.result?.['isError'], asked]).toEqual([true, 4]);
    expect(textOf(outcome)).toContain('"k"');
  });

  test('[BUG-103] no content is an empty one where nothing is required', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' } } };
    const outcome = await run(
      revision,
      (ctx) => ctx.elicit('k', { message: 'm', schema }),
      () => ({ action: 'accept' }),
    );
    expect(textOf(outcome)).toBe('{"b":"x"}');
  });

  test.each([
    ['email', 'nobody', 'ada@example.com'],
    ['uri', 'no address', 'https://example.com/'],
    ['date', '2026-02-30', '2026-02-28'],
    ['date-time', '2026-02-28', '2026-02-28T10:00:00Z'],
  ])('[ELI-021 ELI-005] a text that is no %s is asked for again', async (format, bad, good) => {
    const schema = { type: 'object', properties: { it: { type: 'string', format } }, required: ['it'] } as const;
    const answers = [bad, good];
    const outcome = await run(
      revision,
      (ctx) => ctx.elicit('k', { message: 'm', schema }),
      () => accept({ it: answers.shift() }),
    );
    expect(JSON.parse(textOf(outcome))).toEqual({ it: good });
    expect(answers).toEqual([]);
  });

  test('[ELI-021] content is what the schema of the author makes of it', async () => {
    const schema = z.object({
      day: z.string().transform((text) => text.length),
      left: z.string().default('filled in'),
      stray: z.boolean().optional(),
    });
    const outcome = await run(
      revision,
      async (ctx) => {
        const { day, left } = await ctx.elicit('k', { message: 'm', schema });
        return `${day + 1} ${left}`;
      },
      () => accept({ day: 'Friday', other: 1 }),
    );
    expect(textOf(outcome)).toBe('7 filled in');
  });
});

describe('callers who cannot be asked', () => {
  const form = (ctx: Context): Promise<unknown> => ctx.elicit('k', { message: 'm', schema: n });
  const page = (ctx: Context): Promise<unknown> => ctx.elicit('k', { message: 'm', url: 'https://s.test' });
  const several = (ctx: Context): Promise<unknown> =>
    ctx.elicit('k', {
      message: 'm',
      schema: { type: 'object', properties: { a: { type: 'array', items: { enum: ['x'] } } } },
    });

  test.each<[string, Parameters<typeof legacyOn>[3], JsonObject, (ctx: Context) => unknown]>([
    ['a form, 2025-03-26', '2025-03-26', everything, form],
    ['a form, 2024-11-05', '2024-11-05', everything, form],
    ['a form that was not declared, 2025-06-18', '2025-06-18', {}, form],
    ['a form, only pages declared, 2025-11-25', '2025-11-25', { elicitation: { url: {} } }, form],
    ['a page, 2025-06-18', '2025-06-18', everything, page],
    ['a page, only forms declared, 2025-11-25', '2025-11-25', { elicitation: {} }, page],
    ['several choices, 2025-06-18', '2025-06-18', everything, several],
  ])('[ELI-002 BUG-132] legacy, the failure of the tool: %s', async (_, revision, declared, handler) => {
    const driver = await legacyOn(serving(handler), 'pipe', () => expect.unreachable(), revision, declared);
    const outcome = await driver.call('t');
    expect(outcome.error).toBeUndefined();
    expect(outcome.result).toMatchObject({ isError: true });
    expect(textOf(outcome)).toMatch(/^the caller cannot be asked/);
    expect(outcome.rounds).toEqual([]);
  });

  test.each<[string, LinkName, LinkOptions]>([
    ['by a web door', 'web', {}],
    ['by a Node door that keeps none', 'http', { serving: { legacy: 'stateless' } }],
  ])('[BUG-132] without sessions, %s: the reason is how they are served', async (_, link, options) => {
    const asks: ((ctx: Context) => Promise<unknown>)[] = [
      form,
      page,
      (ctx) => ctx.roots(),
      (ctx) => ctx.sample('s', { messages: [], maxTokens: 1 }),
    ];
    for (const ask of asks) {
      const client = await openLink(link, '2025-11-25', serving(ask), { onElicit: () => ({ n: 1 }), ...options });
      const { isError, text } = await client.callTool('t');
      expect(isError).toBe(true);
      expect(text).toMatch(
        /^the caller cannot be asked for .*: there is no way to ask: legacy callers are served without sessions here/,
      );
    }
  });

  test('[ELI-006] titled choices reach 2025-06-18 in its own words', async () => {
    let sent: unknown;
    const schema = { type: 'object', properties: { c: { oneOf: [{ const: 'r', title: 'Red' }] } } };
    const driver = await legacyOn(
      serving((ctx) => ctx.elicit('k', { message: 'm', schema })),
      'direct',
      ({ params }) => {
        sent = params;
        return accept({ c: 'r' });
      },
      '2025-06-18',
    );
    expect(textOf(await driver.call('t'))).toBe('{"c":"r"}');
    expect(sent).toEqual({
      message: 'm',
      requestedSchema: { type: 'object', properties: { c: { type: 'string', enum: ['r'], enumNames: ['Red'] } } },
    });
  });
});

describe('legacy callers who do not answer', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  test('[ELI-022] in time: the handler is told, and the question is taken back', async () => {
    const clock = new VirtualClock();
    const server = serving((ctx) => ctx.elicit('k', { message: 'm', schema: n }), { clock, askTimeoutMs: 5_000 });
    const driver = await legacyOn(server, 'direct', never);
    const asked = gate();
    const link = linkTo(server, 'direct', {
      answer: () => {
        asked.open();
        return never();
      },
      notice: () => undefined,
    });
    await link.request({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: everything, clientInfo: { name: 'c', version: '1' } },
    });
    const calling = link.request({ method: 'tools/call', params: { name: 't' } });
    await asked.opened;
    await clock.advance(5_000);
    const { result } = await calling;
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('5000 ms') as unknown }] });
    expect(clock.pending).toBe(0);
    await driver.link.close();
  });

  test.each<[string, JsonObject]>([
    ['an error', { rpcError: { code: -32602, message: 'no such mode' } }],
    ['an error of their own', { rpcError: { code: -1, message: 'no' } }],
  ])('[ELI-022] but send %s: a typed error', async (_, answer) => {
    const driver = await legacyOn(
      serving(async (ctx) => {
        const error: unknown = await ctx.elicit('k', { message: 'm', schema: n }).catch((reason: unknown) => reason);
        return JSON.stringify([(error as { code: unknown }).code, (error as { rpc: { code: number } }).rpc.code]);
      }),
      'pipe',
      () => answer,
    );
    expect(textOf(await driver.call('t'))).toBe(
      JSON.stringify(['rpc_error', (answer['rpcError'] as JsonObject)['code']]),
    );
  });

  test('[BUG-103] an answer that is none is a typed error', async () => {
    const driver = await legacyOn(
      serving(async (ctx) => {
        const error: unknown = await ctx.elicit('k', { message: 'm', schema: n }).catch((reason: unknown) => reason);
        return String((error as { code: unknown }).code);
      }),
      'pipe',
      () => ({ action: 'yes' }),
    );
    expect(textOf(await driver.call('t'))).toBe('invalid_response');
  });
});
