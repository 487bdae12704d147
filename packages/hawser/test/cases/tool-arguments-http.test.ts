/** `arguments` of a tool call over HTTP: absent, null, of the wrong shape, odd. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../src/server/server.ts';
import { call, doors, metaOf, nodeEndpoint, openSession, type Answer } from '../support/http.ts';

function tools(): Server {
  const properties = { n: { type: 'integer' } };
  const shown = (args: unknown): string => JSON.stringify(args);
  return new Server({ name: 's', version: '1' })
    .tool('none', {}, shown)
    .tool('optional', { input: { type: 'object', properties } }, shown)
    .tool('required', { input: { type: 'object', properties, required: ['n'] } }, shown)
    .tool(
      'open',
      { input: { type: 'object' } },
      (args) => `${Object.keys(args).join()} ${JSON.stringify(args).length}`,
    );
}

type Outcome = 'runs' | 'tool error' | 'bad params';

function outcome(answer: Answer, inputErrors: 'result' | 'error'): Outcome {
  expect(answer.status, answer.text).toBe(200);
  const { error, result } = answer.reply as {
    error?: { code: number; message: string };
    result?: { isError?: boolean };
  };
  if (error !== undefined) {
    expect(error.code).toBe(-32602);
    return inputErrors === 'error' && error.message.startsWith('invalid arguments') ? 'tool error' : 'bad params';
  }
  return result?.isError === true ? 'tool error' : 'runs';
}

const table: [shown: string, args: string | undefined, none: Outcome, optional: Outcome, required: Outcome][] = [
  ['absent', undefined, 'runs', 'runs', 'tool error'],
  ['null', 'null', 'runs', 'runs', 'tool error'],
  ['{}', '{}', 'runs', 'runs', 'tool error'],
  ['one that fits', '{"n":1}', 'tool error', 'runs', 'runs'],
  ['one that does not', '{"n":"x"}', 'tool error', 'tool error', 'tool error'],
  ['an array', '[]', 'bad params', 'bad params', 'bad params'],
  ['JSON in a string', '"{}"', 'bad params', 'bad params', 'bad params'],
  ['a number', '5', 'bad params', 'bad params', 'bad params'],
  ['a boolean', 'false', 'bad params', 'bad params', 'bad params'],
  ['an unknown property', '{"n":1,"unknown":1}', 'tool error', 'runs', 'runs'],
];

/** The body of a call with `arguments` as this JSON text. */
function bodyOf(name: string, args: string | undefined, meta: object | undefined): string {
  const params = `"name":${JSON.stringify(name)}${args === undefined ? '' : `,"arguments":${args}`}`;
  const rest = meta === undefined ? '' : `,"_meta":${JSON.stringify(meta)}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}${rest}}}`;
}

describe.each(doors)('modern, $name', ({ open }) => {
  test.each(table)('[BUG-108] %s', async (_, args, none, optional, required) => {
    const endpoint = await open(tools());
    for (const [name, expected] of Object.entries({ none, optional, required })) {
      const answer = await endpoint.send({ headers: call(name).headers, body: bodyOf(name, args, metaOf()) });
      expect(outcome(answer, 'result'), name).toBe(expected);
    }
  });

  test('[BUG-108] a tool error names the path, an unknown tool is -32602, a call without a name too', async () => {
    const endpoint = await open(tools());
    const answer = await endpoint.send(call('required', { n: 'x' }));
    expect(answer.content).toContain('/n');
    expect(outcome(await endpoint.send(call('nope')), 'result')).toBe('bad params');
    const { headers, body } = call('none');
    const { params, ...rest } = body as { params: object };
    const nameless = {
      headers: { ...headers, 'mcp-name': undefined },
      body: { ...rest, params: { ...params, name: undefined } },
    };
    expect(outcome(await endpoint.send(nameless), 'result')).toBe('bad params');
  });

  test('[BUG-108] a member called __proto__ is a property like any other, a megabyte of text is no trouble', async () => {
    const endpoint = await open(tools());
    const { headers } = call('open');
    const proto = bodyOf('open', '{"__proto__":{"polluted":true},"constructor":1}', metaOf());
    expect((await endpoint.send({ headers, body: proto })).content).toMatch(/^__proto__,constructor /);
    expect({}).not.toHaveProperty('polluted');
    const large = call('open', { text: 'x'.repeat(1024 * 1024) });
    expect((await endpoint.send(large)).content).toBe(`text ${1024 * 1024 + 11}`);
  });
});

describe.each([
  ['2024-11-05', 'error'],
  ['2025-03-26', 'error'],
  ['2025-06-18', 'error'],
  ['2025-11-25', 'result'],
] as const)('a session of %s', (version, inputErrors) => {
  test.each(table)('[BUG-108] %s', async (_, args, none, optional, required) => {
    const session = await openSession(await nodeEndpoint(tools()), version);
    for (const [name, expected] of Object.entries({ none, optional, required })) {
      const { headers } = session;
      const answer = await session.endpoint.send({ headers, body: bodyOf(name, args, undefined) });
      expect(outcome(answer, inputErrors), name).toBe(expected);
    }
  });
});
