/** Questions for a person, asked by legacy and by modern servers, answered by one handler. */
import { describe, expect, test, vi } from 'vitest';
import { ArgumentError, InputRequiredError, RejectedError } from '../../src/base/errors.ts';
import type { FormQuestion, UrlHandler, UrlQuestion } from '../../src/client/elicitation.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { ask, askingPeer, declaredBy, openAsker, required } from '../support/asking.ts';
import { modernPeer, said } from '../support/http-peer.ts';
import { everyLink, openLink } from '../support/links.ts';
import { serviceThatAsks } from '../support/asking-service.ts';
import { recorder } from '../support/stdio.ts';

const method = 'elicitation/create';
const both = ['2025-11-25', '2026-07-28'] as const;
const schema = { type: 'object', properties: { field: { type: 'string' } } };
const question = { message: 'Which?', requestedSchema: schema };
const link = { mode: 'url', message: 'Go there', url: 'https://pay.test/x?y=1', elicitationId: 'e-1' };

const whatever = (value: unknown) => (): never => value as never;
const form = (answer: unknown): ConnectOptions => ({ onElicit: whatever(answer) });
const url = (answer: unknown): ConnectOptions => ({ onElicit: { url: whatever(answer) } });

describe.each(both)('a form (%s)', (revision) => {
  test('[SEED-250] bare content is accepted content', async () => {
    const { answer } = await ask(revision, form({ field: 'v' }), method, question);
    expect(answer).toEqual({ action: 'accept', content: { field: 'v' } });
  });

  test.each(['accept', 'decline', 'cancel'] as const)('[ELI-008] the action %s goes out as it is', async (action) => {
    const given = { action, content: { field: 'v' }, _meta: { t: 1 } };
    const { answer } = await ask(revision, form(given), method, question);
    expect(answer).toEqual(action === 'accept' ? given : { action, _meta: { t: 1 } });
  });

  test.each(['yes', '', 5, undefined, null, 'Accept'])('[SEED-251] the action %j is a cancel', async (action) => {
    const { answer } = await ask(revision, form({ action, content: { field: 'v' } }), method, question);
    expect(answer).toEqual({ action: 'cancel' });
  });

  test.each([undefined, null, true, 'accept', 1, ['a']])(
    'an answer that is no object (%j) is a cancel',
    async (given) => {
      expect((await ask(revision, form(given), method, question)).answer).toEqual({ action: 'cancel' });
    },
  );

  test('[SEED-252] a field called action has to be wrapped', async () => {
    const asked = {
      message: 'Where?',
      requestedSchema: { type: 'object', properties: { action: { type: 'string' } } },
    };
    const bare = await ask(revision, form({ action: 'Main St' }), method, asked);
    expect(bare.answer).toEqual({ action: 'cancel' });
    const wrapped = await ask(revision, form({ action: 'accept', content: { action: 'Main St' } }), method, asked);
    expect(wrapped.answer).toEqual({ action: 'accept', content: { action: 'Main St' } });
  });

  test('[ELI-003] the handler gets the question, who asks, and nothing else', async () => {
    const onElicit = vi.fn<(question: FormQuestion) => JsonObject>(() => ({ field: 'v' }));
    await ask(revision, { onElicit }, method, { ...question, secret: 's', _meta: { m: 1 } });
    expect(onElicit.mock.calls[0]?.[0]).toEqual({
      mode: 'form',
      message: 'Which?',
      schema,
      server: expect.stringContaining('a server by hand') as string,
      meta: { m: 1 },
    });
  });

  test('[ELI-007] defaults stand for what is missing', async () => {
    const properties = { a: { type: 'string', default: 'x' }, n: { type: 'integer', default: 3 } };
    const asked = { message: '', requestedSchema: { type: 'object', properties, required: ['a', 'n'] } };
    const { answer } = await ask(revision, form({ n: 4 }), method, asked);
    expect(answer).toEqual({ action: 'accept', content: { a: 'x', n: 4 } });
    expect((await ask(revision, form({ action: 'accept' }), method, asked)).answer).toMatchObject({
      content: { a: 'x', n: 3 },
    });
  });

  test('a person who says no by an error declines', async () => {
    const onElicit = (): never => {
      throw new RejectedError();
    };
    expect((await ask(revision, { onElicit }, method, question)).answer).toEqual({ action: 'decline' });
  });

  test('[ELI-021] content that does not fit is not sent, and its values are not logged', async () => {
    const logger = recorder();
    const asked = { message: '', requestedSchema: { type: 'object', properties: { age: { type: 'integer' } } } };
    const { answer, rpc, thrown, written } = await ask(
      revision,
      { ...form({ age: 'hunter2' }), logger },
      method,
      asked,
    );
    expect(answer).toBeUndefined();
    if (revision === '2025-11-25')
      expect(rpc).toEqual({ code: -32603, message: 'the answer does not fit the requested schema' });
    else expect(thrown).toBeInstanceOf(InputRequiredError);
    expect(written).not.toContain('hunter2');
    expect(JSON.stringify(logger.entries)).not.toContain('hunter2');
    expect(logger.of('error').join()).toContain('age is not a number');
  });
});

describe.each(both)('an address (%s)', (revision) => {
  test('[SEED-254] the handler gets the address, and the id where there is one', async () => {
    const handler = vi.fn<(question: UrlQuestion) => boolean>(() => true);
    await ask(revision, { onElicit: { url: handler } }, method, link);
    const [[question] = []] = handler.mock.calls;
    const { server, ...asked } = question ?? ({} as UrlQuestion);
    expect(server).toContain('a server by hand');
    expect(asked).toEqual({
      mode: 'url',
      message: 'Go there',
      url: link.url,
      ...(revision === '2025-11-25' && { elicitationId: 'e-1' }),
    });
  });

  test('[SEED-253] a handler that names no parameters gets all of it as well', async () => {
    const seen: unknown[] = [];
    const handler: UrlHandler = (...given) => {
      seen.push(given[0]);
      return true;
    };
    expect(handler).toHaveLength(0);
    await ask(revision, { onElicit: { url: handler } }, method, link);
    expect(seen).toMatchObject([{ mode: 'url', url: link.url }]);
  });

  test.each([{ ok: 1 }, 'accept', 1, undefined, null, {}, { action: true }, { action: 'yes' }])(
    '[SEED-257] %j is no consent',
    async (given) => {
      expect((await ask(revision, url(given), method, link)).answer).toEqual({ action: 'cancel' });
    },
  );

  test('[SEED-257] true, false and a said action count', async () => {
    expect((await ask(revision, url(true), method, link)).answer).toEqual({ action: 'accept' });
    expect((await ask(revision, url(false), method, link)).answer).toEqual({ action: 'decline' });
    for (const action of ['accept', 'decline', 'cancel'])
      expect((await ask(revision, url({ action }), method, link)).answer).toEqual({ action });
  });

  test('[SEED-258] content is dropped, _meta is not', async () => {
    const { answer } = await ask(revision, url({ action: 'accept', content: { x: 1 }, _meta: { t: 1 } }), method, link);
    expect(answer).toEqual({ action: 'accept', _meta: { t: 1 } });
  });

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'ftp://a.test/',
    'java\nscript:alert(1)',
    ' https://a.test/',
    'https://a.test\\@b.test/',
    'https://bank.test@evil.test/',
    'https://u:p@a.test/',
    'https://a.test/\u202e',
    'https://',
    '/relative',
    '',
  ])('%j is refused before anybody sees it', async (address) => {
    const handler = vi.fn(() => true);
    const { answer, rpc, thrown } = await ask(revision, { onElicit: { url: handler } }, method, {
      ...link,
      url: address,
    });
    expect(handler).not.toHaveBeenCalled();
    expect(answer).toBeUndefined();
    if (revision === '2025-11-25') expect(rpc?.code).toBe(-32602);
    else expect(thrown).toBeInstanceOf(InputRequiredError);
  });
});

describe('the id of an address', () => {
  test('[SEED-255] is dropped on modern servers, with one warning', async () => {
    const logger = recorder();
    const handler = vi.fn<(question: UrlQuestion) => boolean>(() => true);
    const { client, server } = await openAsker('2026-07-28', { logger, onElicit: { url: handler } });
    const calling = client.callTool('t');
    const asked = { method, params: link };
    (await server.expect('tools/call')).reply(required({ a: asked, b: asked }));
    const retry = await server.expect('tools/call');
    expect(retry.params?.['inputResponses']).toEqual({ a: { action: 'accept' }, b: { action: 'accept' } });
    retry.reply(said('done'));
    expect((await calling).text).toBe('done');
    expect(handler).toHaveBeenCalledTimes(2);
    for (const [seen] of handler.mock.calls) expect('elicitationId' in seen).toBe(false);
    expect(logger.of('warn')).toHaveLength(1);
    expect(logger.of('warn')[0]).toContain('elicitationId');
  });
});

describe.each(both)('what is not served (%s)', (revision) => {
  const refused = async (options: ConnectOptions, params: JsonObject, code: number): Promise<void> => {
    const { answer, rpc, thrown, written } = await ask(revision, options, method, params);
    expect(answer).toBeUndefined();
    expect(written).not.toContain('decline');
    if (revision === '2025-11-25') expect(rpc?.code).toBe(code);
    else expect(thrown).toBeInstanceOf(InputRequiredError);
  };

  test('[SEED-259] content that does not fit, unknown modes, and no handler at all', async () => {
    const asked = { message: '', requestedSchema: { type: 'object', properties: { age: { type: 'integer' } } } };
    await refused(form({ age: 'x' }), asked, -32603);
    await refused(form({}), { ...question, mode: 'foo' }, -32602);
    await refused({}, question, -32601);
  });

  test('[SEED-259] this side is told which field does not fit and why, the server is not, and nobody the value', async () => {
    const requestedSchema = { type: 'object', properties: { age: { type: 'integer' }, name: {} }, required: ['name'] };
    const { rpc, thrown } = await ask(revision, form({ age: 'secret' }), method, { message: '', requestedSchema });
    const what = 'the answer does not fit the requested schema';
    if (revision === '2025-11-25') expect(rpc?.message).toBe(what);
    else expect(thrown?.message).toBe(`tools/call: ${what}: name is missing; age is not a number`);
  });

  test('[SEED-261 ELI-002] modes that were not declared', async () => {
    await refused(form({}), link, -32602);
    await refused(url(true), question, -32602);
  });

  test.each([
    { message: 'no schema' },
    { requestedSchema: schema },
    { message: 'x', requestedSchema: { type: 'array' } },
    { message: 'x', requestedSchema: { type: 'object', properties: { deep: { type: 'object' } } } },
    { ...question, mode: 7 },
  ])('%j is malformed', async (params) => {
    await refused(form({}), params, -32602);
  });
});

describe.each(both)('a handler that throws (%s)', (revision) => {
  test('[SEED-260] says nothing to the server, and all to the log, once', async () => {
    const logger = recorder();
    const onElicit = (): never => {
      throw new Error('/etc/secret');
    };
    const { rpc, thrown, written } = await ask(revision, { onElicit, logger }, method, question);
    if (revision === '2025-11-25') expect(rpc).toEqual({ code: -32603, message: 'the client could not answer' });
    else {
      expect(thrown?.message).not.toContain('secret');
      expect(thrown?.cause).toMatchObject({ cause: new Error('/etc/secret') });
    }
    expect(written).not.toContain('secret');
    expect(logger.entries.filter(({ details }) => String(details).includes('secret'))).toHaveLength(1);
  });
});

describe('what is declared', () => {
  test.each(both)('[ELI-001 SEED-261] the modes there are handlers for (%s)', async (revision) => {
    expect(await declaredBy(revision, {})).toEqual({});
    expect(await declaredBy(revision, form({}))).toEqual({ elicitation: { form: {} } });
    expect(await declaredBy(revision, url(true))).toEqual({ elicitation: { url: {} } });
    const onElicit = { form: whatever({}), url: whatever(true) };
    expect(await declaredBy(revision, { onElicit })).toEqual({ elicitation: { form: {}, url: {} } });
    expect(await declaredBy(revision, { onElicit: {} })).toEqual({});
  });

  test('2025-06-18 knows forms only', async () => {
    expect(await declaredBy('2025-06-18', { onElicit: { form: whatever({}), url: whatever(true) } })).toEqual({
      elicitation: {},
    });
    expect(await declaredBy('2025-06-18', url(true))).toEqual({});
    const { rpc } = await ask('2025-06-18', { onElicit: { form: whatever({}), url: whatever(true) } }, method, link);
    expect(rpc?.code).toBe(-32602);
  });

  test('before 2025-06-18 nobody is asked', async () => {
    expect((await ask('2025-03-26', form({}), method, question)).rpc?.code).toBe(-32601);
  });

  test.each([5, 'x', { form: 1 }, { url: 'x' }])('onElicit %j is no handler', async (onElicit) => {
    await expect(openAsker('2025-11-25', { onElicit: onElicit as never })).rejects.toThrow(ArgumentError);
  });
});

describe('every way to a server', () => {
  const asked = { message: 'n?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
  const onElicit = (): JsonObject => ({ n: 1 });

  for (const { link: way, revision } of everyLink({ links: ['direct', 'pipe', 'http'], revisions: both }))
    test(`[MRTR-024] one handler answers (${way}, ${revision})`, async () => {
      const { service, answers } = serviceThatAsks(method, asked);
      const client = await openLink(way, revision, service, { onElicit });
      expect((await client.callTool('asks')).text).toBe('asked');
      expect(answers).toEqual([{ action: 'accept', content: { n: 1 } }]);
    });

  test('over a stream of a POST of a legacy server, and by a round of a modern one', async () => {
    const legacy = await askingPeer({ id: 'q', method, params: asked });
    const client = await connect(legacy.url, { protocol: 'legacy', onElicit });
    const { text } = await client.callTool('t');
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 'q', result: { action: 'accept', content: { n: 1 } } });
    await client.close();

    let rounds = 0;
    const peer = await modernPeer({
      'tools/call': (turn) =>
        rounds++ === 0
          ? required({ q: { method, params: asked } })
          : said(JSON.stringify(turn.seen.params['inputResponses'])),
    });
    const modern = await connect(peer.url, { onElicit });
    expect(JSON.parse((await modern.callTool('t')).text)).toEqual({ q: { action: 'accept', content: { n: 1 } } });
    await modern.close();
  });
});
