/** Questions for the client's model, asked by legacy and by modern servers. */
import { describe, expect, test, vi } from 'vitest';
import { ArgumentError, InputRequiredError, RejectedError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import type { SampleHandler } from '../../src/client/sampling.ts';
import type { CreateMessageParams } from '../../src/model/inputs.ts';
import { afresh, ask, declaredBy, openAsker, required } from '../support/asking.ts';
import { gate } from '../support/http.ts';
import { recorder } from '../support/stdio.ts';

const method = 'sampling/createMessage';
const both = ['2025-11-25', '2026-07-28'] as const;
const hi = { role: 'user', content: { type: 'text', text: 'hi' } };
const asked = { messages: [hi], maxTokens: 100 };
const said = { role: 'assistant', content: { type: 'text', text: 'ho' }, model: 'm-1', stopReason: 'endTurn' } as const;
const tool = { name: 'look', inputSchema: { type: 'object' } };

/** What the handler was given, and what came of the question. */
async function sample(
  revision: (typeof both)[number] | '2025-06-18',
  params: JsonObject,
  options: Omit<Exclude<ConnectOptions['onSample'], SampleHandler | undefined>, 'handle'> & { answer?: unknown } = {},
): Promise<{ given: CreateMessageParams | undefined; calls: number } & Awaited<ReturnType<typeof ask>>> {
  const { answer = said, ...more } = options;
  const handle = vi.fn<SampleHandler>(() => answer as never);
  const came = await ask(revision, { onSample: { handle, ...more } }, method, params);
  return { given: handle.mock.calls[0]?.[0], calls: handle.mock.calls.length, ...came };
}

async function refused(revision: (typeof both)[number], params: JsonObject): Promise<void> {
  const { calls, answer, rpc, thrown, written } = await sample(revision, params);
  expect(calls).toBe(0);
  expect(answer).toBeUndefined();
  if (revision === '2025-11-25') expect(rpc?.code).toBe(-32602);
  else {
    expect(thrown).toBeInstanceOf(InputRequiredError);
    expect(written.match(/"tools\/call"/g)).toHaveLength(1);
  }
}

describe.each(both)('a question (%s)', (revision) => {
  test('[SEED-262 SMP-003 SMP-004] comes with all it says, and the answer goes out as it was given', async () => {
    const params = {
      ...asked,
      systemPrompt: 'be kind',
      modelPreferences: { hints: [{ name: 'sonnet' }], costPriority: 0.5 },
      temperature: 0.1,
      stopSequences: ['END'],
      metadata: { a: 1 },
      _meta: { m: 1 },
    };
    const { given, answer } = await sample(revision, params);
    expect(given).toEqual(params);
    expect(answer).toEqual(said);
  });

  test('who asks is told, and the role of the answer may be left out', async () => {
    const handle = vi.fn<SampleHandler>(() => ({ content: said.content, model: 'm' }) as never);
    const { answer } = await ask(revision, { onSample: handle }, method, asked);
    expect(handle.mock.calls[0]?.[1].server).toContain('a server by hand');
    expect(answer).toEqual({ role: 'assistant', content: said.content, model: 'm' });
  });

  test.each([undefined, 'text', {}, { ...said, model: 1 }, { ...said, content: 'ho' }, { ...said, role: 'system' }])(
    'an answer that is none (%j) is not sent',
    async (given) => {
      const onSample = (): never => given as never;
      const { answer, rpc, thrown } = await ask(revision, { onSample }, method, asked);
      expect(answer).toBeUndefined();
      if (revision === '2025-11-25') expect(rpc).toEqual({ code: -32603, message: 'the client could not answer' });
      else expect(thrown).toBeInstanceOf(InputRequiredError);
    },
  );

  test('[SMP-010] what the user rejects is an error with the code -1, or no answer', async () => {
    const onSample = (): never => {
      throw new RejectedError('not today, secret');
    };
    const { answer, rpc, thrown, written } = await ask(revision, { onSample }, method, asked);
    expect(answer).toBeUndefined();
    expect(written).not.toContain('secret');
    if (revision === '2025-11-25') expect(rpc).toEqual({ code: -1, message: 'the user rejected the sampling request' });
    else expect(thrown?.cause).toMatchObject({ cause: { code: 'rejected' } });
  });

  test('without a handler there is an error', async () => {
    const { answer, rpc, thrown } = await ask(revision, {}, method, asked);
    expect(answer).toBeUndefined();
    if (revision === '2025-11-25') expect(rpc?.code).toBe(-32601);
    else expect(thrown).toBeInstanceOf(InputRequiredError);
  });
});

const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} });
const result = (toolUseId: string): JsonObject => ({ type: 'tool_result', toolUseId, content: [] });
const text = { type: 'text', text: 'x' };
const user = (...content: unknown[]): JsonObject => ({ role: 'user', content });
const assistant = (...content: unknown[]): JsonObject => ({ role: 'assistant', content });

describe.each(both)('histories (%s)', (revision) => {
  test.each<[string, unknown]>([
    ['no list', 'hi'],
    ['a message that is no object', ['hi']],
    ['no role', [{ content: text }]],
    ['a role nobody has', [{ role: 'system', content: text }]],
    ['no content', [{ role: 'user' }]],
    ['content that is text', [{ role: 'user', content: 'hi' }]],
    ['a block without type', [user({ text: 'x' })]],
    ['no block', [user()]],
    ['[SMP-007] results beside other content', [assistant(use('1')), user(result('1'), text)]],
    ['[SMP-008] a use that nothing answers', [hi, assistant(use('1'))]],
    ['[SMP-008] a use that is answered late', [assistant(use('1')), hi, user(result('1'))]],
    ['[SMP-008] two uses and one answer', [assistant(use('1'), use('2')), user(result('1'))]],
    ['[SMP-008] an answer to another use', [assistant(use('1')), user(result('2'))]],
    ['[SMP-008] the answer of the assistant itself', [assistant(use('1')), assistant(result('1'))]],
    ['a use without id', [assistant({ type: 'tool_use', name: 'look', input: {} }), user(result('1'))]],
  ])('[SEED-263 SEED-264] are refused before the handler: %s', async (_, messages) => {
    await refused(revision, { ...asked, messages });
  });

  test('those that make sense pass', async () => {
    const messages = [hi, assistant(text, use('1'), use('2')), user(result('2'), result('1')), assistant(text)];
    const { given } = await sample(revision, { ...asked, messages });
    expect(given?.messages).toEqual(messages);
  });

  test.each([
    { maxTokens: 0 },
    { maxTokens: '5' },
    { systemPrompt: 1 },
    { temperature: 'hot' },
    { stopSequences: [1] },
    { metadata: [] },
  ])('%j is malformed', async (wrong) => {
    await refused(revision, { ...asked, ...wrong });
  });
});

describe('tools', () => {
  const toolChoice = { mode: 'auto' };

  test.each(both)('[SEED-265 SMP-001] reach the handler of a client that says so (%s)', async (revision) => {
    const { given } = await sample(revision, { ...asked, tools: [tool], toolChoice }, { tools: true });
    expect(given).toMatchObject({ tools: [tool], toolChoice });
  });

  test('[SEED-265 SMP-002] are refused by one that does not, on legacy servers', async () => {
    for (const more of [{ tools: [tool] }, { toolChoice }, { tools: [] }])
      await refused('2025-11-25', { ...asked, ...more });
  });

  test('[SEED-266 SMP-002 SEED-245] fail the whole round on modern ones', async () => {
    for (const more of [{ tools: [tool] }, { toolChoice }]) await refused('2026-07-28', { ...asked, ...more });
  });

  test.each([[{ ...tool, name: 1 }], [{ name: 'x' }], 'tools'])('that are none (%j) are malformed', async (tools) => {
    expect((await sample('2025-11-25', { ...asked, tools }, { tools: true })).rpc?.code).toBe(-32602);
  });

  test('are not known before 2025-11-25', async () => {
    expect((await sample('2025-06-18', { ...asked, tools: [tool] }, { tools: true })).rpc?.code).toBe(-32602);
  });

  test('an answer of several blocks is one block before 2025-11-25', async () => {
    const one = await sample('2025-06-18', asked, { answer: { ...said, content: [text] } });
    expect(one.answer).toMatchObject({ content: text });
    const image = { type: 'image', data: '', mimeType: 'image/png' };
    const two = await sample('2025-06-18', asked, { answer: { ...said, content: [text, image] } });
    expect(two.answer).toMatchObject({ content: { type: 'text', text: 'x\n[image: image/png]' } });
    const both11 = await sample('2025-11-25', asked, { answer: { ...said, content: [text, image] } });
    expect(both11.answer).toMatchObject({ content: [text, image] });
  });
});

describe('preferences', () => {
  const tidied = async (modelPreferences: unknown): Promise<unknown> =>
    (await sample('2025-11-25', { ...asked, modelPreferences })).given?.modelPreferences;

  test('[SEED-268 SMP-006] hints are objects with names, in order; priorities are within 0 and 1', async () => {
    expect(await tidied({ hints: 'a' })).toEqual({ hints: [{ name: 'a' }] });
    expect(await tidied({ hints: ['a', { name: 'b' }, 1, {}, null, { name: 2 }] })).toEqual({
      hints: [{ name: 'a' }, { name: 'b' }],
    });
    expect(await tidied({ costPriority: 2, speedPriority: -1, intelligencePriority: 0.3 })).toEqual({
      costPriority: 1,
      speedPriority: 0,
      intelligencePriority: 0.3,
    });
    expect(await tidied({ costPriority: 'x', speedPriority: null })).toEqual({});
    expect(await tidied('fast')).toBeUndefined();
  });

  test('[SEED-268] a number too large for JSON is none', async () => {
    const given = gate<CreateMessageParams>();
    const onSample: SampleHandler = (params) => {
      given.open(params);
      return said;
    };
    const { server } = await openAsker('2025-11-25', { onSample });
    const params = JSON.stringify({ ...asked, modelPreferences: { costPriority: 0 } }).replace(':0}', ':1e999}');
    server.raw(`{"jsonrpc":"2.0","id":77,"method":"${method}","params":${params}}\n`);
    expect((await given.opened).modelPreferences).toEqual({});
  });
});

describe('context', () => {
  test('is passed on by a client that says so, and else dropped', async () => {
    const wish = { ...asked, includeContext: 'thisServer' };
    expect((await sample('2025-11-25', wish, { context: true })).given).toMatchObject({ includeContext: 'thisServer' });
    expect((await sample('2025-11-25', wish)).given).not.toHaveProperty('includeContext');
    const none = { ...asked, includeContext: 'none' };
    expect((await sample('2025-11-25', none)).given).toMatchObject({ includeContext: 'none' });
    const odd = { ...asked, includeContext: 'else' };
    expect((await sample('2025-11-25', odd, { context: true })).given).not.toHaveProperty('includeContext');
  });
});

describe('what is declared', () => {
  const declared = (revision: (typeof both)[number] | '2025-06-18', onSample: ConnectOptions['onSample']) =>
    declaredBy(revision, { onSample });
  const handle: SampleHandler = () => said;

  test.each(both)('[SMP-001 SEED-265] follows from the handler (%s)', async (revision) => {
    expect(await declared(revision, undefined)).toEqual({});
    expect(await declared(revision, handle)).toEqual({ sampling: {} });
    expect(await declared(revision, { handle, tools: true })).toEqual({ sampling: { tools: {} } });
    expect(await declared(revision, { handle, tools: true, context: true })).toEqual({
      sampling: { tools: {}, context: {} },
    });
  });

  test('before 2025-11-25 there is nothing but sampling', async () => {
    expect(await declared('2025-06-18', { handle, tools: true, context: true })).toEqual({ sampling: {} });
  });

  test.each([5, {}, { handle: 1 }])('onSample %j is no handler', async (onSample) => {
    await expect(openAsker('2025-11-25', { onSample: onSample as never })).rejects.toThrow(ArgumentError);
  });
});

describe('notices', () => {
  test('[SEED-267] includeContext is noticed once, none is not', async () => {
    const asking = await afresh();
    const logger = recorder();
    const options = { onSample: { handle: () => said, context: true }, logger };
    const { server } = await asking.openAsker('2025-11-25', options);
    const notices = (): number => logger.of('warn').filter((line) => line.startsWith('includeContext')).length;
    await server.request(method, { ...asked, includeContext: 'none' });
    expect(notices()).toBe(0);
    await server.request(method, { ...asked, includeContext: 'allServers' });
    await server.request(method, { ...asked, includeContext: 'thisServer' });
    expect(notices()).toBe(1);
  });

  test('[SEED-447] sampling is noticed once in the process, not per client or call', async () => {
    const asking = await afresh();
    const logger = recorder();
    for (let clients = 0; clients < 2; clients++) {
      const { server } = await asking.openAsker('2025-11-25', { onSample: () => said, logger });
      for (let calls = 0; calls < 5; calls++) await server.request(method, asked);
    }
    expect(logger.of('warn').filter((line) => line.includes('sampling are deprecated'))).toHaveLength(1);
  });

  test('a logger that throws spoils nothing, and is told next time', async () => {
    const asking = await afresh();
    const kept = recorder();
    const broken = Object.assign(recorder(), {
      warn: () => {
        throw new Error('full disk');
      },
    });
    await asking.openAsker('2025-11-25', { onSample: () => said, logger: broken });
    await asking.openAsker('2025-11-25', { onSample: () => said, logger: kept });
    expect(kept.of('warn')).toHaveLength(1);
  });
});

test('a question is not put to the handler when another one of its round cannot be answered', async () => {
  const handle = vi.fn<SampleHandler>(() => said);
  const { client, server } = await openAsker('2026-07-28', { onSample: handle });
  const calling = client.callTool('t');
  const bad = { ...asked, tools: [tool] };
  (await server.expect('tools/call')).reply(
    required({ good: { method, params: asked }, bad: { method, params: bad } }),
  );
  await expect(calling).rejects.toThrow(InputRequiredError);
  expect(handle).not.toHaveBeenCalled();
  expect(server.unread).toEqual([]);
});
