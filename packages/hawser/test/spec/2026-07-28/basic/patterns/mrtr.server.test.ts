/** What a server does that needs something (2026-07-28 basic/patterns/mrtr). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { inputRequired } from '../../../../../src/server/rounds/input-required.ts';
import { Server } from '../../../../../src/server/server.ts';
import { VirtualClock } from '../../../../../src/testing/clock.ts';
import type { Link, Reply } from '../../../../../src/ports/index.ts';
import { doors, call, gate, metaOf, modern } from '../../../../support/http.ts';
import {
  accept,
  drive,
  everything,
  linkTo,
  modernLink,
  modernWays,
  observed,
  textOf,
  toolCall,
} from '../../../../support/rounds.ts';

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const prompt = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Capital?' } }],
  maxTokens: 9,
};
const said = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };

/** Counts the runs of each handler. */
function asking(): { server: Server; runs: string[] } {
  const runs: string[] = [];
  const server = new Server({ name: 's', version: '1', clock: new VirtualClock() });
  server.tool('greet', {}, async (_, ctx) => {
    runs.push('greet');
    const { name: given } = await ctx.elicit('user_name', { message: 'Name?', schema: name });
    return `Hello, ${String(given)}`;
  });
  server.tool('all', {}, async (_, ctx) => {
    runs.push('all');
    const { who, page, capital, dirs } = await ctx.ask({
      who: { message: 'Name?', schema: name },
      page: { message: 'Look here', url: 'https://s.test/page' },
      capital: { sample: prompt },
      dirs: { roots: true },
    });
    expect(page).toBeUndefined();
    return JSON.stringify([who, (capital.content as { text: string }).text, dirs.map(({ path }) => path)]);
  });
  server.tool('remembers', {}, async (_, ctx) => {
    runs.push('remembers');
    await ctx.step('s', () => 1);
    const { name: given } = await ctx.elicit('user_name', { message: 'Name?', schema: name });
    return `Hello, ${String(given)}`;
  });
  return { server, runs };
}

const send = (link: Link, tool: string, more: JsonObject = {}, declared: JsonObject = everything): Promise<Reply> =>
  link.request(toolCall(tool, {}, more, declared));

const garbage = { code: -32602, message: 'inputResponses does not answer what was asked' };

describe('Input Required Result', () => {
  test.each(modernWays)('[MRTR-001 MRTR-003 MRTR-004] what is needed ends the request (%s)', async (over) => {
    const { server } = asking();
    const { result } = await send(await modernLink(server, over), 'all');
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        who: { method: 'elicitation/create', params: { mode: 'form', message: 'Name?', requestedSchema: name } },
        page: {
          method: 'elicitation/create',
          params: { mode: 'url', message: 'Look here', url: 'https://s.test/page' },
        },
        capital: { method: 'sampling/createMessage', params: prompt },
        dirs: { method: 'roots/list', params: {} },
      },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
    });
  });

  test.each(modernWays)('[SEED-230 MRTR-020 MRTR-005] all of it answered, the call goes on (%s)', async (over) => {
    const { server, runs } = asking();
    const answers: JsonObject = {
      who: accept({ name: 'Ann' }),
      page: { action: 'accept' },
      capital: said,
      dirs: { roots: [{ uri: 'file:///a%20b' }] },
    };
    const outcome = await drive(await modernLink(server, over), toolCall('all'), ({ key }) => answers[key]);
    expect(outcome.rounds).toEqual([['who', 'page', 'capital', 'dirs']]);
    expect(textOf(outcome)).toBe('[{"name":"Ann"},"Paris",["/a b"]]');
    expect(runs).toEqual(['all', 'all']);
  });

  test('[MRTR-004] a state travels only when there is something to remember', async () => {
    const { server } = asking();
    const link = linkTo(server, 'direct');
    expect((await send(link, 'greet')).result).not.toHaveProperty('requestState');
    expect((await send(link, 'remembers')).result).toMatchObject({ requestState: expect.any(String) as unknown });
  });

  test('[MRTR-008] a handler may ask as often as it likes', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('many', {}, async (_, ctx) => {
      const names: unknown[] = [];
      for (let at = 0; at < 8; at++)
        names.push((await ctx.elicit(`name-${at}`, { message: `${at}?`, schema: name }))['name']);
      return names.join('');
    });
    const outcome = await drive(linkTo(server, 'pipe'), toolCall('many'), (_, times) =>
      accept({ name: String(times) }),
    );
    expect([outcome.rounds.length, textOf(outcome)]).toEqual([8, '01234567']);
  });

  test('[CACHE-002] there are no cache hints on it', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.resource('test://a', { name: 'a' }, async (_, ctx) =>
      String((await ctx.elicit('n', { message: 'Name?', schema: name }))['name']),
    );
    const link = linkTo(server, 'direct');
    const read = (more: JsonObject = {}): Promise<Reply> =>
      link.request({
        method: 'resources/read',
        name: 'test://a',
        params: {
          uri: 'test://a',
          ...more,
          _meta: metaOf({ 'io.modelcontextprotocol/clientCapabilities': everything }),
        },
      });
    const { result } = await read();
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'inputRequests', 'resultType']);
    const final = await read({ inputResponses: { n: accept({ name: 'Ann' }) } });
    expect(final.result).toMatchObject({ resultType: 'complete', contents: [{ text: 'Ann' }] });
  });

  test('[MRTR-002 PRM-006] prompts may ask as well', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.prompt('p', {}, async (_, ctx) =>
      String((await ctx.elicit('n', { message: 'Name?', schema: name }))['name']),
    );
    const link = linkTo(server, 'direct');
    const params = { name: 'p', _meta: metaOf({ 'io.modelcontextprotocol/clientCapabilities': everything }) };
    const outcome = await drive(link, { method: 'prompts/get', name: 'p', params }, () => accept({ name: 'Ann' }));
    expect(outcome.rounds).toEqual([['n']]);
    expect(outcome.result).toMatchObject({ resultType: 'complete', messages: [{ content: { text: 'Ann' } }] });
  });
});

describe('what the caller did not declare', () => {
  const needs: [string, JsonObject, JsonObject][] = [
    ['form', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['form', {}, { elicitation: { form: {} } }],
    ['page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['page', { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ['sample', { roots: {} }, { sampling: {} }],
    ['sampleTools', { sampling: {} }, { sampling: { tools: {} } }],
    ['roots', { sampling: {} }, { roots: {} }],
    ['low', {}, { elicitation: { form: {} } }],
  ];
  const server = (): Server => {
    const made = new Server({ name: 's', version: '1' });
    made.tool('form', {}, async (_, ctx) => JSON.stringify(await ctx.elicit('k', { message: 'm', schema: name })));
    made.tool('page', {}, (_, ctx) => ctx.elicit('k', { message: 'm', url: 'https://s.test' }));
    made.tool('sample', {}, async (_, ctx) => (await ctx.sample('k', prompt)).model);
    made.tool('sampleTools', {}, async (_, ctx) => (await ctx.sample('k', { ...prompt, tools: [] })).model);
    made.tool('roots', {}, async (_, ctx) => JSON.stringify(await ctx.roots()));
    made.tool('low', {}, () =>
      inputRequired({
        requests: { k: { method: 'elicitation/create', params: { message: 'm', requestedSchema: name } } },
      }),
    );
    made.tool('caught', {}, async (_, ctx) => {
      try {
        return JSON.stringify(await ctx.elicit('k', { message: 'm', schema: name }));
      } catch (error) {
        return String((error as { code?: unknown }).code);
      }
    });
    return made;
  };

  describe.each(doors)('$name', ({ open }) => {
    test.each(needs)('[MRTR-006 ELI-002 BUG-132] %s with %j: -32021 at 400', async (tool, declared, required) => {
      const endpoint = await open(server());
      const meta = { 'io.modelcontextprotocol/clientCapabilities': declared };
      const answer = await endpoint.send(call(tool, {}, { meta }));
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.error).toMatchObject({ code: -32021, data: { requiredCapabilities: required } });
    });
  });

  test('[MRTR-006] a handler may catch that and do without', async () => {
    const { result } = await send(linkTo(server(), 'direct'), 'caught', {}, {});
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'capability' }] });
  });

  test('[MRTR-006] a handler can know before', async () => {
    const asked = new Server({ name: 's', version: '1' });
    asked.tool('can', {}, (_, { can }) =>
      (['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'] as const).filter((what) => can(what)).join(),
    );
    const link = linkTo(asked, 'direct');
    const canWith = async (declared: JsonObject): Promise<string> =>
      textOf({ rounds: [], ...((await send(link, 'can', {}, declared)) as { result: JsonObject }) });
    expect(await canWith(everything)).toBe('elicit,elicit-url,sample,sample-tools,roots');
    expect(await canWith({ elicitation: {}, sampling: {}, roots: {} })).toBe('elicit,sample,roots');
    expect(await canWith({ elicitation: { url: {} } })).toBe('elicit-url');
    expect(await canWith({ elicitation: { form: {} }, sampling: { tools: {} } })).toBe('elicit,sample,sample-tools');
    expect(await canWith({ elicitation: 'yes', sampling: null, roots: [] })).toBe('');
  });

  test('[BUG-133] each request is judged by what itself declares', async () => {
    const link = linkTo(server(), 'pipe');
    expect((await send(link, 'form')).result).toMatchObject({ resultType: 'input_required' });
    expect((await send(link, 'form', {}, {})).error).toMatchObject({ code: -32021 });
    expect((await send(link, 'form')).result).toMatchObject({ resultType: 'input_required' });
  });
});

describe('answers', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
    ['a number under a key', { user_name: 12345 }],
    ['null under a key', { user_name: null }],
    ['a list under a key', { user_name: [] }],
    ['a number under a key nobody asked for', { other: 1 }],
  ])('[MRTR-016] %s is refused, and the handler does not run', async (_, inputResponses) => {
    const { server, runs } = asking();
    expect((await send(linkTo(server, 'direct'), 'greet', { inputResponses })).error).toEqual(garbage);
    expect(runs).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['no action', {}],
    ['an unknown action', { action: 'yes' }],
    ['an action that is no text', { action: 5 }],
    ['content that is no object', { action: 'accept', content: 'Ann' }],
    ['a list of content', { action: 'accept', content: ['Ann'] }],
    ['the answer to another kind of question', said],
  ])('[MRTR-016 BUG-103] %s is refused where it is needed', async (_, answer) => {
    const { server } = asking();
    const link = linkTo(server, 'direct');
    expect((await send(link, 'greet', { inputResponses: { user_name: answer } })).error).toEqual(garbage);
  });

  test.each<[string, JsonObject]>([
    [
      'sampling',
      { who: accept({ name: 'A' }), page: { action: 'accept' }, capital: { roots: [] }, dirs: { roots: [] } },
    ],
    ['a model that is no text', { capital: { ...said, model: 5 } }],
    ['a role that there is not', { capital: { ...said, role: 'system' } }],
    ['content that is none', { capital: { ...said, content: 'Paris' } }],
  ])('[MRTR-016] of a model: %s', async (_, inputResponses) => {
    const { server } = asking();
    expect((await send(linkTo(server, 'direct'), 'all', { inputResponses })).error).toEqual(garbage);
  });

  test('[MRTR-016] what is missing is asked for again, what nobody asked for is passed over', async () => {
    const { server } = asking();
    const link = linkTo(server, 'direct');
    const first = await send(link, 'all', {
      inputResponses: { who: accept({ name: 'Ann' }), stray: accept({ name: 'Eve' }) },
    });
    expect(Object.keys(first.result?.['inputRequests'] as JsonObject)).toEqual(['page', 'capital', 'dirs']);
    const requestState = first.result?.['requestState'];
    const rest = { page: { action: 'accept' }, capital: said, dirs: {} };
    const { result } = await send(link, 'all', { inputResponses: rest, requestState });
    expect(result).toMatchObject({ content: [{ text: '[{"name":"Ann"},"Paris",[]]' }] });
  });

  test('[MRTR-016 ELI-021] what does not fit the schema is asked for again, three times at most', async () => {
    const { server, runs } = asking();
    const outcome = await drive(linkTo(server, 'direct'), toolCall('greet'), () => accept({ name: 5 }));
    expect(outcome.rounds).toEqual([['user_name'], ['user_name'], ['user_name'], ['user_name']]);
    expect(outcome.result).toMatchObject({ isError: true });
    expect(textOf(outcome)).toMatch(/^4 answers to the question "user_name" did not fit, the last one: name: /);
    expect(runs).toHaveLength(5);
  });

  test('[B-36 MRTR-017] answers with the first request are taken, unless the question is bound', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('ask', { input: { type: 'object' } }, async ({ bound }, ctx) => {
      const ask = { message: 'Name?', schema: name, bound: bound === true };
      return String((await ctx.elicit('n', ask))['name']);
    });
    const link = linkTo(server, 'direct');
    const more = { inputResponses: { n: accept({ name: 'Ann' }) } };
    expect((await link.request(toolCall('ask', {}, more))).result).toMatchObject({ content: [{ text: 'Ann' }] });
    const bound = await link.request(toolCall('ask', { bound: true }, more));
    expect(bound.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as unknown });
    const outcome = await drive(link, toolCall('ask', { bound: true }), () => accept({ name: 'Ann' }));
    expect(textOf(outcome)).toBe('Ann');
  });

  test('[MRTR-017] a state of the same call that did not ask the bound question does not answer it', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('two', {}, async (_, ctx) => {
      await ctx.elicit('first', { message: 'First?', schema: name, bound: true });
      return String((await ctx.elicit('second', { message: 'Second?', schema: name, bound: true }))['name']);
    });
    const link = linkTo(server, 'direct');
    const { result } = await send(link, 'two');
    const answers = { first: accept({ name: 'a' }), second: accept({ name: 'b' }) };
    const next = await send(link, 'two', { inputResponses: answers, requestState: result?.['requestState'] });
    expect(Object.keys(next.result?.['inputRequests'] as JsonObject)).toEqual(['second']);
  });

  test('a changed question is put again, and its old answer is not used', async () => {
    let env = 'staging';
    const server = new Server({ name: 's', version: '1' });
    server.tool('deploy', {}, async (_, ctx) => {
      await ctx.step('s', () => 1);
      const { name: confirmed } = await ctx.elicit('ok', { message: `Deploy to ${env}?`, schema: name });
      const { name: again } = await ctx.elicit('sure', { message: 'Sure?', schema: name });
      return `${String(confirmed)} ${String(again)}`;
    });
    const outcome = await drive(linkTo(server, 'direct'), toolCall('deploy'), ({ key, params }, times) => {
      // Between the rounds: first before the answer is logged, then after it.
      if (times < 2) env = times === 0 ? 'production' : 'the moon';
      return accept({ name: `${key}:${String(params['message'])}` });
    });
    expect(outcome.rounds).toEqual([['ok'], ['ok'], ['ok'], ['sure']]);
    expect(textOf(outcome)).toBe('ok:Deploy to the moon? sure:Sure?');
  });

  test('what a handler does to an answer does not get into the next round', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('mutates', {}, async (_, ctx) => {
      const list = await ctx.step<string[]>('list', () => []);
      list.push('more');
      const who = await ctx.elicit('a', { message: 'a', schema: name });
      who['name'] = `${String(who['name'])}!`;
      await ctx.elicit('b', { message: 'b', schema: name });
      return `${list.join()} ${String(who['name'])}`;
    });
    const outcome = await drive(linkTo(server, 'direct'), toolCall('mutates'), () => accept({ name: 'x' }));
    expect(textOf(outcome)).toBe('more x!');
  });
});

describe('steps', () => {
  test('run once for all rounds, in every generation of values', async () => {
    const runs: string[] = [];
    const keys = new Set<string>();
    const server = new Server({ name: 's', version: '1' });
    server.tool('steps', {}, async (_, ctx) => {
      const first = await ctx.step('first', ({ idempotencyKey, signal }) => {
        expect(signal.aborted).toBe(false);
        keys.add(idempotencyKey);
        runs.push('first');
        return { n: 1, none: undefined };
      });
      expect(first).toEqual({ n: 1 });
      expect('none' in first).toBe(false);
      expect(await ctx.step('nothing', () => void runs.push('nothing'))).toBeUndefined();
      expect(await ctx.step('null', () => null)).toBeNull();
      const failing = ctx.step('fails', () => {
        runs.push('fails');
        throw Object.assign(new TypeError('no'), { code: 'E_NO' });
      });
      await expect(failing).rejects.toMatchObject({
        code: 'step_failed',
        message: 'no',
        key: 'fails',
        failure: { name: 'TypeError', message: 'no', code: 'E_NO' },
      });
      await ctx.elicit('a', { message: 'a', schema: name });
      await ctx.elicit('b', { message: 'b', schema: name });
      return 'done';
    });
    const outcome = await drive(linkTo(server, 'direct'), toolCall('steps'), () => accept({ name: 'x' }));
    expect(textOf(outcome)).toBe('done');
    expect(runs).toEqual(['first', 'nothing', 'fails']);
    expect([...keys]).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
  });

  test.each<[string, () => unknown, JsonObject]>([
    ['no prototype', () => Object.create(null), { name: 'Error', message: expect.any(String) as unknown }],
    [
      'a getter that throws',
      () =>
        Object.defineProperty(new Error('m'), 'message', {
          get: () => {
            throw new Error('got');
          },
        }),
      { name: 'Error', message: expect.any(String) as unknown },
    ],
    ['a symbol', () => Symbol('s'), { name: 'Error', message: 'Symbol(s)' }],
    ['nothing', () => undefined, { name: 'Error', message: 'undefined' }],
    ['a text', () => 'no', { name: 'Error', message: 'no' }],
    [
      'long members',
      () => Object.assign(new Error('m'.repeat(5_000)), { name: 'n'.repeat(500), code: 'c'.repeat(100_000) }),
      { name: 'n'.repeat(100), message: 'm'.repeat(1_000), code: 'c'.repeat(100) },
    ],
    ['a code that is no number', () => Object.assign(new Error('m'), { code: NaN }), { name: 'Error', message: 'm' }],
  ])('any failure is remembered, within bounds: %s', async (_, thrown, failure) => {
    const seen: unknown[] = [];
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (__, ctx) => {
      await ctx
        .step('s', () => {
          throw thrown();
        })
        .catch((error: unknown) => seen.push((error as { failure: unknown }).failure));
      await ctx.elicit('a', { message: 'a', schema: name });
      return 'done';
    });
    expect(textOf(await drive(linkTo(server, 'direct'), toolCall('t'), () => accept({ name: 'x' })))).toBe('done');
    expect(seen).toEqual([failure, failure]);
  });

  test('the key of a step is the same when its round is repeated, and differs between calls', async () => {
    const keys: string[] = [];
    const server = new Server({ name: 's', version: '1' });
    server.tool('pay', {}, async (_, ctx) => {
      await ctx.elicit('n', { message: 'Name?', schema: name, bound: true });
      await ctx.step('pay', ({ idempotencyKey }) => void keys.push(idempotencyKey));
      return 'paid';
    });
    const link = linkTo(server, 'direct');
    const { result } = await send(link, 'pay');
    const more = { inputResponses: { n: accept({ name: 'x' }) }, requestState: result?.['requestState'] };
    await send(link, 'pay', more);
    await send(link, 'pay', more);
    await drive(link, toolCall('pay'), () => accept({ name: 'x' }));
    expect(keys).toHaveLength(3);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test.each<[string, () => unknown, string, RegExp]>([
    ['a function', () => () => 1, 'not_json', /"s" is no JSON but a function/],
    ['a symbol', () => Symbol('s'), 'not_json', /no JSON but a symbol/],
    ['a BigInt', () => 1n, 'not_json', /"s" cannot be written as JSON/],
    ['16,385 bytes', () => 'ö'.repeat(8_191) + 'x', 'step_too_large', /"s" has 16385 bytes/],
  ])('a value that cannot be kept: %s', async (_, value, code, message) => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (_, ctx) => {
      await expect(ctx.step('s', value)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message) as unknown,
      });
      return 'told';
    });
    expect(textOf(await drive(linkTo(server, 'direct'), toolCall('t'), () => ({})))).toBe('told');
  });

  test('16,384 bytes are kept', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (_, ctx) => {
      const value = await ctx.step('s', () => 'ö'.repeat(8_191));
      await ctx.elicit('n', { message: 'Name?', schema: name });
      return String(value.length);
    });
    expect(textOf(await drive(linkTo(server, 'direct'), toolCall('t'), () => accept({ name: 'x' })))).toBe('8191');
  });

  test.each(['', 'x'.repeat(257), 5, undefined])('a key that is none: %j', async (key) => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (_, ctx) => {
      await expect(ctx.step(key as string, () => 1)).rejects.toMatchObject({ code: 'bad_key' });
      await expect(ctx.elicit(key as string, { message: 'm', schema: name })).rejects.toMatchObject({
        code: 'bad_key',
      });
      return 'told';
    });
    expect(textOf(await drive(linkTo(server, 'direct'), toolCall('t'), () => ({})))).toBe('told');
  });

  test.each(['__proto__', 'constructor', 'x'.repeat(256), 'ключ'])('any text is a key: %s', async (key) => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (_, ctx) => {
      const s = await ctx.step(`s${key}`.slice(0, 256), () => 's');
      return s + String((await ctx.elicit(key, { message: 'm', schema: name }))['name']);
    });
    const outcome = await drive(linkTo(server, 'pipe'), toolCall('t'), () => accept({ name: 'x' }));
    expect([outcome.rounds, textOf(outcome)]).toEqual([[[key]], 'sx']);
  });

  test('a question that waits for a step that waits for it is refused after 10 s', async () => {
    const clock = new VirtualClock();
    const unwound: unknown[] = [];
    const server = new Server({ name: 's', version: '1', clock });
    server.tool('t', {}, async (_, ctx) => {
      const inner = ctx.step('s', async () => {
        await Promise.resolve();
        return String((await ctx.elicit('in', { message: 'm', schema: name }))['name']);
      });
      return inner.catch((error: unknown) => {
        unwound.push((error as { code?: unknown }).code, clock.now());
        throw error;
      });
    });
    const sent = send(linkTo(server, 'direct'), 't');
    while (clock.pending === 0) await clock.settle();
    await clock.advance(10_000);
    const { result } = await sent;
    expect([result?.['isError'], unwound, clock.pending]).toEqual([true, ['nested', 10_000], 0]);
    expect(textOf({ rounds: [], ...(result !== undefined && { result }) })).toMatch(
      /^"in" is asked within the step "s"/,
    );
  });

  test('a question beside a slow step waits for it, and that is told of', async () => {
    const { server, clock, logger } = observed();
    server.tool('t', {}, async (_, ctx) => {
      const slow = new Promise<void>((resolve) => {
        clock.after(25_000, resolve);
      });
      const [{ name: who }] = await Promise.all([
        ctx.elicit('who', { message: 'm', schema: name }),
        ctx.step('slow', () => slow),
      ]);
      return String(who);
    });
    const sent = send(linkTo(server, 'direct'), 't');
    while (clock.pending < 2) await clock.settle();
    await clock.advance(9_999);
    expect(logger.of('warn')).toEqual([]);
    await clock.advance(15_001);
    expect(Object.keys((await sent).result?.['inputRequests'] as JsonObject)).toEqual(['who']);
    expect(logger.of('warn')).toEqual(['t: questions (who) wait for steps to end (slow)']);
    expect(clock.pending).toBe(0);
  });

  test('a step that began long before a question is not taken for one around it too early', async () => {
    const clock = new VirtualClock();
    const server = new Server({ name: 's', version: '1', clock });
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        clock.after(ms, resolve);
      });
    server.tool('t', {}, async (_, ctx) => {
      const slow = ctx.step('slow', () => pause(22_000));
      void ctx.elicit('early', { message: 'm', schema: name }).catch(() => undefined);
      await pause(15_000);
      await ctx.elicit('late', { message: 'm', schema: name });
      await slow;
    });
    const sent = send(linkTo(server, 'direct'), 't');
    while (clock.pending < 3) await clock.settle();
    await clock.advance(22_000);
    expect(Object.keys((await sent).result?.['inputRequests'] as JsonObject)).toEqual(['early', 'late']);
  });
});

describe('a suspended run', () => {
  test('[MRTR-007] reports and logs nothing any more, and its signal aborts after the reply', async () => {
    const aborted = gate<unknown>();
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (_, ctx) => {
      ctx.signal.addEventListener('abort', () => aborted.open(ctx.signal.reason));
      await ctx.progress(1);
      ctx.log('error', 'before');
      try {
        await ctx.elicit('n', { message: 'm', schema: name });
      } finally {
        await ctx.progress(2);
        ctx.log('error', 'after');
      }
      return 'x';
    });
    const notes: unknown[] = [];
    const meta = metaOf({
      'io.modelcontextprotocol/clientCapabilities': everything,
      'io.modelcontextprotocol/logLevel': 'debug',
      progressToken: 1,
    });
    const { result } = await linkTo(server, 'direct').request(
      { method: 'tools/call', name: 't', params: { name: 't', _meta: meta } },
      { emit: ({ params }) => void notes.push(params?.['progress'] ?? params?.['data']) },
    );
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(notes).toEqual([1, 'before']);
    expect(String(await aborted.opened)).toMatch(/suspended/);
  });

  test('the reply does not wait longer than a second for the handler', async () => {
    const { server, clock, logger } = observed();
    server.tool('t', {}, async (_, ctx) => {
      await ctx.elicit('n', { message: 'm', schema: name }).catch(() => new Promise(() => undefined));
      return 'x';
    });
    let reply: Reply | undefined;
    const sent = send(linkTo(server, 'direct'), 't').then((came) => (reply = came));
    while (clock.pending === 0) await clock.settle();
    await clock.advance(999);
    expect(reply).toBeUndefined();
    await clock.advance(1);
    expect((await sent).result).toMatchObject({ resultType: 'input_required' });
    expect(logger.of('warn')).toEqual(['t: the handler still runs 1000 ms after its suspension']);
    expect(clock.pending).toBe(0);
  });
});

describe('the low level', () => {
  const low = (): Server => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('low', {}, (_, ctx) => {
      const { n } = ctx.responses as { n?: { content: { name: string } } };
      const count = Number(ctx.state ?? 0);
      if (n === undefined || count < 2)
        return inputRequired({
          requests: { n: { method: 'elicitation/create', params: { message: `${count}?`, requestedSchema: name } } },
          state: count + 1,
        });
      return `${n.content.name} ${count}`;
    });
    server.tool('load', {}, (_, ctx) => (ctx.state === undefined ? inputRequired({ state: 'later' }) : 'now'));
    server.tool('neither', {}, () => inputRequired({}));
    server.tool('stranger', {}, () =>
      inputRequired({ requests: { k: { method: 'tools/list', params: {} } as never } }),
    );
    return server;
  };

  test.each(modernWays)('[MRTR-003 MRTR-008] requests and a state of its own (%s)', async (over) => {
    const link = await modernLink(low(), over);
    const outcome = await drive(link, toolCall('low'), (_, times) => accept({ name: `n${times}` }));
    expect([outcome.rounds, textOf(outcome)]).toEqual([[['n'], ['n']], 'n1 2']);
  });

  test('[B-38] a state alone', async () => {
    const link = linkTo(low(), 'direct');
    const { result } = await send(link, 'load');
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'requestState', 'resultType']);
    const { requestState } = result as { requestState: string };
    expect((await send(link, 'load', { requestState })).result).toMatchObject({ content: [{ text: 'now' }] });
    expect((await send(link, 'low', { requestState })).error).toMatchObject({ code: -32602 });
  });

  test('[MRTR-004 MRTR-005] neither, and requests that there are not, are the tool’s failure', async () => {
    const link = linkTo(low(), 'direct');
    expect((await send(link, 'neither')).result).toMatchObject({ isError: true });
    expect((await send(link, 'stranger')).result).toMatchObject({ isError: true });
  });

  test('[MRTR-017] without its state there is none', async () => {
    const { result } = await send(linkTo(low(), 'direct'), 'low', { inputResponses: { n: accept({ name: 'x' }) } });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { n: { params: { message: '0?' } } } });
  });
});

test('[MRTR-002] a list or a discovery is never answered by it', async () => {
  const { server } = asking();
  const link = linkTo(server, 'direct');
  for (const method of ['tools/list', 'server/discover']) {
    const { body } = modern(method, { inputResponses: { user_name: 5 }, requestState: 'x' });
    const { params } = body as { params: JsonObject };
    expect((await link.request({ method, params })).result).toMatchObject({ resultType: 'complete' });
  }
});
