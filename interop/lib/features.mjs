/** What every server of the table offers besides tools, and what every client answers when it is asked. */
import { z } from 'zod';
import { unicode } from './tools.mjs';

/** One red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

export const note = { uri: 'note://static', name: 'note', mimeType: 'text/plain', text: unicode };
export const picture = { uri: 'note://picture', name: 'picture', mimeType: 'image/png', blob: pixel };
export const item = { uriTemplate: 'item://{id}', name: 'item', mimeType: 'text/plain', text: (id) => `item ${id}` };

const names = ['Ada', 'Alan', 'Grace'];
export const greet = {
  name: 'greet',
  description: 'Greets somebody',
  argument: { name: 'name', description: 'Whom to greet' },
  text: (name) => `Hello, ${name}!`,
  complete: (value) => names.filter((each) => each.startsWith(value)),
};

/** What clients answer. */
export const answers = {
  /** A form of ours gets what is expected; of others the one field that takes any text. */
  elicit: ({ properties }) =>
    properties?.confirmed === undefined ? { name: 'Ada' } : { confirmed: true, colour: 'blue' },
  sample: {
    role: 'assistant',
    content: { type: 'text', text: 'the model says 42' },
    model: 'a model',
    stopReason: 'endTurn',
  },
  roots: [{ uri: 'file:///srv/a%20b', name: 'work' }],
};

/** Params of what servers ask. */
export const form = {
  message: 'Go on?',
  requestedSchema: {
    type: 'object',
    properties: {
      confirmed: { type: 'boolean', title: 'Confirmed' },
      colour: { type: 'string', enum: ['red', 'blue'] },
    },
    required: ['confirmed', 'colour'],
  },
};
export const question = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the answer?' } }],
  maxTokens: 100,
};

const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Tools that ask their caller, and one that changes a resource. `run(args, { elicit, sample, roots, touched })`. */
export const askingTools = [
  {
    name: 'ask-user',
    description: 'Asks the user with a form',
    input: z.object({}),
    run: async (_args, { elicit }) => text(JSON.stringify(await elicit(form))),
  },
  {
    name: 'ask-model',
    description: 'Asks the model of the client',
    input: z.object({}),
    run: async (_args, { sample }) => text([(await sample(question)).content].flat()[0].text),
  },
  {
    name: 'ask-roots',
    description: 'Asks for the roots',
    input: z.object({}),
    run: async (_args, { roots }) => text((await roots()).roots.map(({ uri }) => uri).join(' ')),
  },
  {
    name: 'touch',
    description: 'Tells that the note has changed',
    input: z.object({}),
    run: async (_args, { touched }) => {
      await touched(note.uri);
      return text('touched');
    },
  },
];

/** Where `server-everything` has the like of it. */
export const offers = {
  ours: {
    text: { uri: note.uri, text: note.text },
    blob: { uri: picture.uri, blob: picture.blob },
    template: { uriTemplate: item.uriTemplate, uri: 'item://42', text: 'item 42' },
    missing: 'note://nowhere',
    prompt: { name: greet.name, argument: 'name', value: 'Ada', text: 'Hello, Ada!' },
    complete: { prompt: greet.name, argument: 'name', value: 'A', values: ['Ada', 'Alan'] },
    elicit: {
      tool: 'ask-user',
      expect: JSON.stringify({ action: 'accept', content: { confirmed: true, colour: 'blue' } }),
    },
    sample: { tool: 'ask-model', expect: 'the model says 42' },
    roots: { tool: 'ask-roots', expect: 'file:///srv/a%20b' },
    subscribe: { uri: note.uri, tool: 'touch' },
  },
  everything: {
    template: {
      uriTemplate: 'demo://resource/dynamic/text/{resourceId}',
      uri: 'demo://resource/dynamic/text/1',
      includes: 'Resource 1',
    },
    blob: { uri: 'demo://resource/dynamic/blob/1' },
    missing: 'demo://resource/nowhere',
    prompt: { name: 'args-prompt', argument: 'city', value: 'Oslo', includes: 'Oslo' },
    complete: { prompt: 'completable-prompt', argument: 'department', value: 'Eng', values: ['Engineering'] },
    elicit: { tool: 'trigger-elicitation-request', includes: 'Ada' },
    sample: {
      tool: 'trigger-sampling-request',
      args: { prompt: 'Say it', maxTokens: 10 },
      includes: 'the model says 42',
    },
    roots: { tool: 'get-roots-list', includes: 'file:///srv/a%20b' },
    subscribe: { uri: 'demo://resource/dynamic/text/1', tool: 'toggle-subscriber-updates', undo: true },
  },
};
