/** What a server does that asks the client's model (2026-07-28 client/sampling). */
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { CreateMessageParams, SamplingMessage } from '../../../../src/model/inputs.ts';
import { Server } from '../../../../src/server/server.ts';
import { drive, everything, legacyOn, linkTo, textOf, toolCall } from '../../../support/rounds.ts';
import { legacyRevisions } from '../../../support/links.ts';

const text = (said: string): { type: 'text'; text: string } => ({ type: 'text', text: said });
const user: SamplingMessage = { role: 'user', content: text('Capital of France?') };
const said = { role: 'assistant', content: text('Paris'), model: 'm', stopReason: 'endTurn' };
const use = (id: string): SamplingMessage['content'] => ({ type: 'tool_use', id, name: 't', input: {} });
const gave = (toolUseId: string): SamplingMessage['content'] => ({ type: 'tool_result', toolUseId, content: [] });

/** A server whose tool asks for that. */
function sampling(params: CreateMessageParams): Server {
  const server = new Server({ name: 's', version: '1' });
  server.tool('t', {}, async (_, ctx) => JSON.stringify(await ctx.sample('k', params)));
  return server;
}

/** What is sent for it, and what comes back. */
async function ask(params: CreateMessageParams, declared: JsonObject = everything): Promise<[unknown, string]> {
  let sent: unknown;
  const outcome = await drive(linkTo(sampling(params), 'direct'), toolCall('t', {}, {}, declared), (asked) => {
    sent = asked.params;
    return said;
  });
  return [sent, textOf(outcome)];
}

const params: CreateMessageParams = {
  messages: [user],
  maxTokens: 100,
  modelPreferences: { hints: [{ name: 'claude' }], costPriority: 0.5 },
  systemPrompt: 'Be brief.',
  temperature: 0,
  stopSequences: ['.'],
  metadata: { a: 1 },
};

test('[SMP-003] a question for a model, and what it said', async () => {
  expect(await ask(params)).toEqual([params, JSON.stringify(said)]);
});

test.each(legacyRevisions)('[SMP-003 MRTR-024] the same of a legacy caller (%s)', async (revision) => {
  let sent: unknown;
  const driver = await legacyOn(
    sampling(params),
    'pipe',
    (asked) => {
      sent = asked.params;
      return said;
    },
    revision,
  );
  expect(textOf(await driver.call('t'))).toBe(JSON.stringify(said));
  expect(sent).toEqual(params);
});

describe('tools in sampling', () => {
  const tools = [{ name: 't', inputSchema: { type: 'object' as const } }];

  test.each<[string, Partial<CreateMessageParams>]>([
    ['tools', { tools }],
    ['a choice', { toolChoice: { mode: 'none' } }],
    [
      'uses of tools',
      { messages: [user, { role: 'assistant', content: use('1') }, { role: 'user', content: gave('1') }] },
    ],
  ])('[SMP-002] %s need sampling.tools', async (_, more) => {
    const asked = { ...params, ...more };
    expect((await ask(asked))[1]).toBe(JSON.stringify(said));
    const { error } = await linkTo(sampling(asked), 'direct').request(toolCall('t', {}, {}, { sampling: {} }));
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: { tools: {} } } } });
    const legacy = await legacyOn(sampling(asked), 'direct', () => expect.unreachable(), '2025-11-25', {
      sampling: {},
    });
    expect(textOf(await legacy.call('t'))).toMatch(/^the caller cannot be asked for its model with tools/);
    // A revision without them does not have them, whatever was declared.
    const older = await legacyOn(sampling(asked), 'direct', () => expect.unreachable(), '2025-06-18');
    expect(textOf(await older.call('t'))).toMatch(/^the caller cannot be asked for its model with tools/);
  });

  const assistant = (...ids: string[]): SamplingMessage => ({ role: 'assistant', content: ids.map(use) as never });
  const results = (...ids: string[]): SamplingMessage => ({ role: 'user', content: ids.map(gave) as never });

  test.each<[string, SamplingMessage[], RegExp]>([
    [
      'a text beside a result',
      [user, assistant('1'), { role: 'user', content: [gave('1'), text('x')] as never }],
      /with nothing else/,
    ],
    [
      'a result of the assistant',
      [user, assistant('1'), { role: 'assistant', content: gave('1') }],
      /a message of the user/,
    ],
    ['a use without a result', [user, assistant('1'), user], /its result is missing/],
    ['one of two results', [user, assistant('1', '2'), results('1')], /its result is missing/],
    ['a use at the end', [user, assistant('1')], /the last message/],
    ['a result of nothing', [user, results('1')], /not used in the message before/],
    ['a result twice', [user, assistant('1'), results('1', '1')], /not used in the message before/],
    ['a result too late', [user, assistant('1'), results('1'), results('1')], /not used in the message before/],
    ['a use of the user', [{ role: 'user', content: use('1') }], /only the assistant/],
    ['two uses of one id', [user, assistant('1', '1'), results('1')], /one id/],
    ['a role that there is not', [{ role: 'system' as never, content: text('x') }], /neither user nor assistant/],
    ['content that is none', [{ role: 'user', content: 'x' as never }], /content is no content/],
    ['no list', 'x' as never, /messages is not a list/],
  ])('[SMP-007 SMP-008] a conversation that makes no sense: %s', async (_, messages, message) => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('t', {}, async (_, ctx) => {
      const asked = ctx.sample('k', { ...params, messages });
      await expect(asked).rejects.toBeInstanceOf(ArgumentError);
      await expect(asked).rejects.toThrow(message);
      return 'told';
    });
    const outcome = await drive(linkTo(server, 'direct'), toolCall('t'), () => expect.unreachable());
    expect(textOf(outcome)).toBe('told');
  });

  test('[SMP-008] one that does', async () => {
    const messages = [user, assistant('1', '2'), results('2', '1'), assistant('3'), results('3'), user];
    expect((await ask({ ...params, messages }))[0]).toMatchObject({ messages });
  });

  test.each([0, -1, NaN, '5', undefined])('without a number of tokens nothing is asked: %j', async (maxTokens) => {
    expect((await ask({ ...params, maxTokens: maxTokens as number }))[1]).toBe(
      'sample: maxTokens is not a number above 0',
    );
  });
});

describe('contexts of servers', () => {
  test('[SMP-011] are left out when the caller did not declare them', async () => {
    const asked = { ...params, includeContext: 'allServers' as const };
    expect((await ask(asked))[0]).toEqual(asked);
    expect((await ask(asked, { sampling: {} }))[0]).toEqual(params);
    const none = { ...params, includeContext: 'none' as const };
    expect((await ask(none, { sampling: {} }))[0]).toEqual(none);
  });
});

test.each<[JsonObject, string]>([
  [{ rpcError: { code: -1, message: 'the person said no' } }, 'the person said no'],
  [{ ...said, model: 5 }, 'invalid response: sampling: model is not a string'],
])('a legacy caller that does not answer: %j', async (answer, message) => {
  const driver = await legacyOn(sampling(params), 'direct', () => answer);
  const outcome = await driver.call('t');
  expect([outcome.result?.['isError'], textOf(outcome)]).toEqual([true, message]);
});
