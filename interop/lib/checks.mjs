/**
 * The columns of the table. Each check is handed a session of the client under test (see `client.mjs`), the dialect of
 * the server and the side channel, and throws an error that says what was wrong.
 */
import { deepStrictEqual } from 'node:assert';
import { unicode } from './tools.mjs';

const demand = (truth, message) => {
  if (!truth) throw new Error(message);
};

const short = (value) => {
  const text = value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value);
  return text === undefined ? String(value) : text.slice(0, 300);
};

const equal = (actual, expected, what) => {
  try {
    deepStrictEqual(actual, expected);
  } catch {
    throw new Error(`${what}: expected ${short(expected)}, got ${short(actual)}`);
  }
};

/** The error a promise rejects with; `what` names what should not have been answered. */
async function rejection(promise, what) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: answered with ${short(answer)}`);
}

async function list({ session, dialect }) {
  const tools = await session.listTools();
  const named = (name) => {
    const tool = tools.find((each) => each.name === name);
    demand(tool !== undefined, `no tool ${name} among ${tools.map((each) => each.name).join(', ')}`);
    return tool;
  };
  const echo = named(dialect.echo.tool);
  demand(typeof echo.description === 'string', 'echo has no description');
  equal(echo.inputSchema?.type, 'object', 'inputSchema.type of echo');
  equal(echo.inputSchema?.properties?.[dialect.echo.argument]?.type, 'string', 'type of the argument of echo');
  equal(echo.inputSchema?.required, [dialect.echo.argument], 'required of echo');
  const structured = named(dialect.structured.tool);
  equal(
    Object.keys(structured.outputSchema?.properties ?? {}).toSorted(),
    Object.keys(dialect.structured.expect).toSorted(),
    `properties of the outputSchema of ${dialect.structured.tool}`,
  );
}

async function echoes({ session, dialect }, value) {
  const result = await session.callTool(dialect.echo.tool, { [dialect.echo.argument]: value });
  demand(!result.isError, `echo gave isError: ${short(result.content)}`);
  equal(result.content?.[0]?.type, 'text', 'type of the content of echo');
  equal(result.content[0].text, dialect.echo.answer(value), 'text of echo');
}

async function call(context) {
  await echoes(context, unicode);
  const { tool, args, expect } = context.dialect.structured;
  const result = await context.session.callTool(tool, args);
  equal(result.structuredContent, expect, `structuredContent of ${tool}`);
}

async function reports({ session, channel }, { tool, args, count }) {
  const seen = [];
  let answered = false;
  const result = await session.callTool(tool, args, {
    onProgress(note) {
      seen.push(answered ? `${note.progress} after the result` : note.progress);
      channel.tell({ saw: note.progress });
    },
  });
  answered = true;
  demand(!result.isError, `${tool} gave isError: ${short(result.content)}`);
  equal(
    seen,
    Array.from({ length: count }, (_, index) => index + 1),
    `progress of ${tool} ${short(args)}`,
  );
}

/**
 * The tool goes on only when the caller has seen a step, so progress has to arrive while the call runs. Our client must
 * not lose any either when all of it comes in one piece with the result; the official clients do.
 */
async function progress(context) {
  await reports(context, context.dialect.progress);
  if (context.rush) await reports(context, context.dialect.rush);
}

async function failing({ session, dialect }) {
  const { tool, args, text } = dialect.fail;
  const result = await session.callTool(tool, args);
  demand(result.isError === true, `a failing tool: isError is ${short(result.isError)}`);
  const said = result.content?.[0]?.text ?? '';
  demand(said.includes(text), `a failing tool: ${short(said)} does not say ${short(text)}`);
}

async function unknownTool({ session }) {
  const error = await rejection(session.callTool('no-such-tool', {}), 'an unknown tool');
  demand(Number.isInteger(session.rpcCode(error)), `an unknown tool: no protocol error but ${short(error)}`);
  return `code ${session.rpcCode(error)}`;
}

/** Both halves are looked at, whatever becomes of the first. */
async function error(context) {
  const first = await failing(context).catch((wrong) => wrong);
  const code = await unknownTool(context).catch((wrong) => wrong);
  const wrong = [first, code].filter((each) => each instanceof Error).map((each) => each.message);
  demand(wrong.length === 0, wrong.join('; '));
  return code;
}

const reason = 'enough of it';

async function cancel(context) {
  const { session, dialect, channel, limitMs } = context;
  const from = channel.log.length;
  const abort = new AbortController();
  const outcome = rejection(
    session.callTool(dialect.slow.tool, dialect.slow.args, { signal: abort.signal }),
    'an aborted call',
  );
  outcome.catch(() => {});
  const started = channel.next((note) => note.event === 'slow:started', {
    from,
    limitMs,
    what: 'the server saw no call',
  });
  await Promise.race([started, outcome.then((early) => Promise.reject(early))]);
  abort.abort(new Error(reason));
  const thrown = await outcome;
  demand(session.isAbort(thrown, reason), `an aborted call: no abort error but ${short(thrown)}`);
  const told = channel.next((note) => note.event === dialect.told, {
    from,
    limitMs: Math.round(limitMs / 3),
    what: 'the caller has its abort error, but the server was not told',
  });
  const outcomes = await Promise.allSettled([told, echoes(context, 'after the abort')]);
  const wrong = outcomes.filter((each) => each.status === 'rejected').map((each) => each.reason.message);
  demand(wrong.length === 0, wrong.join('; '));
}

const matches = (said, { text, expect = text, includes }, what) => {
  if (includes === undefined) equal(said, expect, what);
  else demand(said?.includes(includes), `${what}: ${short(said)} does not say ${short(includes)}`);
};

async function resources({ session, offer }) {
  if (offer.text !== undefined) {
    const listed = await session.listResources();
    const uris = listed.map((each) => each.uri);
    demand(uris.includes(offer.text.uri), `no resource ${offer.text.uri} among ${uris.join(', ')}`);
    const [content] = (await session.readResource(offer.text.uri)).contents;
    equal(content.uri, offer.text.uri, 'uri of the content');
    equal(content.text, offer.text.text, `text of ${offer.text.uri}`);
  }
  const templates = (await session.listResourceTemplates()).map((each) => each.uriTemplate);
  const { uriTemplate, uri } = offer.template;
  demand(templates.includes(uriTemplate), `no template ${uriTemplate} among ${templates.join(', ')}`);
  matches((await session.readResource(uri)).contents[0]?.text, offer.template, `text of ${uri}`);
  const [binary] = (await session.readResource(offer.blob.uri)).contents;
  demand(typeof binary.blob === 'string', `${offer.blob.uri} has no blob`);
  if (offer.blob.blob !== undefined) equal(binary.blob, offer.blob.blob, `blob of ${offer.blob.uri}`);
  const thrown = await rejection(session.readResource(offer.missing), 'a resource that is not there');
  demand(Number.isInteger(session.rpcCode(thrown)), `a missing resource: no protocol error but ${short(thrown)}`);
  return `code ${session.rpcCode(thrown)}`;
}

async function prompts({ session, offer }) {
  const { name, argument, value } = offer.prompt;
  const prompt = (await session.listPrompts()).find((each) => each.name === name);
  demand(prompt !== undefined, `no prompt ${name}`);
  const known = prompt.arguments?.find((each) => each.name === argument);
  equal(known?.required, true, `required of the argument ${argument}`);
  const { messages } = await session.getPrompt(name, { [argument]: value });
  matches(messages[0]?.content?.text, offer.prompt, `text of ${name}`);
  const thrown = await rejection(session.getPrompt('no-such-prompt', {}), 'an unknown prompt');
  demand(Number.isInteger(session.rpcCode(thrown)), `an unknown prompt: no protocol error but ${short(thrown)}`);
}

async function complete({ session, offer }) {
  const { prompt, argument, value, values } = offer.complete;
  const completion = await session.complete({ type: 'ref/prompt', name: prompt }, { name: argument, value });
  equal(completion.values, values, `completion of ${argument}`);
}

/** A tool that asks while its call is open, and the answer that comes back through it. */
const asking = (kind) =>
  async function asks({ session, offer }) {
    const { tool, args = {} } = offer[kind];
    const result = await session.callTool(tool, args);
    const said = result.content?.map((block) => block.text).join('\n');
    demand(!result.isError, `${tool} gave isError: ${short(said)}`);
    matches(said, offer[kind], `text of ${tool}`);
  };

async function subscribe({ session, offer, limitMs }) {
  const { uri, tool, undo } = offer.subscribe;
  let updated;
  const told = new Promise((resolve) => {
    updated = resolve;
  });
  const end = await session.subscribe(uri, updated);
  await session.callTool(tool, {});
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no update came')), Math.round(limitMs / 3));
  });
  try {
    equal(await Promise.race([told, late]), uri, 'uri of the update');
  } finally {
    clearTimeout(timer);
    await end();
    if (undo) await session.callTool(tool, {});
  }
}

/** In the order of the columns; `connect` and `close` are the client's own. */
export const checks = {
  list,
  call,
  progress,
  error,
  cancel,
  resources,
  prompts,
  complete,
  elicit: asking('elicit'),
  sample: asking('sample'),
  roots: asking('roots'),
  subscribe,
};
