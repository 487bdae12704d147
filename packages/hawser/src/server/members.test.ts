import { expect, test } from 'vitest';
import { z } from 'zod';
import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Server } from './server.ts';

const made = (): Server => new Server({ name: 's', version: '1' });
const tool = (definition: JsonObject) => () => made().tool('x', definition, () => 'a');

test.each([
  ['inputSchema', 'input'],
  ['parameters', 'input'],
  ['Input', 'input'],
  ['outputSchema', 'output'],
  ['readOnlyHint', 'annotations'],
  ['meta', '_meta'],
])('a tool with %s: did you mean %s?', (name, meant) => {
  const message = `tool "x": a definition has no member "${name}": did you mean "${meant}"?`;
  expect(tool({ [name]: {} })).toThrow(message);
  expect(tool({ [name]: {} })).toThrow(ArgumentError);
});

test('other members are refused as well, with what there is', () => {
  expect(tool({ nonsense: 1 })).toThrow('"nonsense": there are title, description, icons, input, output');
  expect(tool({ constructor: 1 })).toThrow('"constructor": there are title');
  expect(tool({ handler: () => 'a' })).toThrow('the handler is the third argument');
  expect(tool({ name: 'y' })).toThrow('the name is the first argument, and differs');
});

test('what is undefined, and what repeats the first argument, is passed over', () => {
  expect(tool({ inputSchema: undefined, name: 'x', description: 'd' })).not.toThrow();
});

test('so it is of prompts, resources and templates', () => {
  const bad = { name: 'n', inputSchema: {} } as { name: string };
  expect(() => made().prompt('x', { argsSchema: {} } as object, () => 'a')).toThrow('did you mean "input"?');
  expect(() => made().resource('x://1', bad, () => 'a')).toThrow('resource "x://1": a definition has no member');
  expect(() => made().template('x://{a}', bad, () => 'a')).toThrow('template "x://{a}": a definition has no member');
  const [uri, uriTemplate] = ['x://1', 'x://{a}'];
  expect(() => made().resource(uri, { uri, name: 'n' } as { name: string }, () => 'a')).not.toThrow();
  expect(() => made().template(uriTemplate, { uriTemplate, name: 'n' } as { name: string }, () => 'a')).not.toThrow();
});

test('a schema that is none is named by its tool', () => {
  expect(tool({ input: { a: z.string() } })).toThrow('tool "x": input: these are members, no schema');
  expect(tool({ output: z.object({ when: z.date() }) })).toThrow(/^tool "x": output: .*\(at "when"\)$/);
});
