/** Callers of both generations by hand: what a client would do by itself, with every answer as the test says. */
import { onTestFinished } from 'vitest';
import { Cancel } from '../../src/base/cancel.ts';
import { systemClock } from '../../src/base/clock.ts';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { httpLink } from '../../src/transport/http-client.ts';
import { directLink } from '../../src/transport/direct.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { pipeLink } from '../../src/transport/pipe-client.ts';
import { servePipe } from '../../src/transport/pipe-server.ts';
import { serveHttp } from '../../src/node/http.ts';
import { undiciPort } from '../../src/node/undici.ts';
import type { RpcErrorObject } from '../../src/base/errors.ts';
import type { Revision } from '../../src/model/types.ts';
import type { Call, Caller, Exchange, Link, Note, Service } from '../../src/ports/index.ts';
import { Server, type ServerOptions } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { metaOf } from './http.ts';
import { recorder, type Recorder } from './stdio.ts';

/** A question as it came. */
export interface Asked {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** How a question is answered: by a bare result; of a legacy caller also by an error. */
export type Answering = (asked: Asked, times: number) => unknown;

/** How a call ended. */
export interface Outcome {
  /** The keys of each round, modern; the messages of each question, legacy. */
  readonly rounds: string[][];
  readonly result?: JsonObject;
  readonly error?: RpcErrorObject;
}

/** All that clients may declare. */
export const everything: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
};

/** Text of the first block of a result. */
export function textOf({ result, error }: Outcome): string {
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return block?.text ?? `error ${JSON.stringify(error)}`;
}

/** A call of a tool as a modern client makes it; `more` goes into the params. */
export function toolCall(name: string, args: JsonObject = {}, more: JsonObject = {}, declared = everything): Call {
  const _meta = metaOf({ 'io.modelcontextprotocol/clientCapabilities': declared });
  return { method: 'tools/call', name, params: { name, arguments: args, ...more, _meta } };
}

/** One modern round trip after the other, until the result is final; at most 10. */
export async function drive(link: Link, call: Call, answering: Answering): Promise<Outcome> {
  const rounds: string[][] = [];
  let more: JsonObject = {};
  for (let times = 0; times <= 10; times++) {
    const { result, error } = await link.request({ ...call, params: { ...call.params, ...more } });
    if (error !== undefined) return { rounds, error };
    if (result['resultType'] !== 'input_required') return { rounds, result };
    const requests = Object.entries((result['inputRequests'] ?? {}) as Record<string, JsonObject>);
    rounds.push(requests.map(([key]) => key));
    const answers = requests.map(([key, { method, params }]) => [
      key,
      answering({ key, method: String(method), params: (params ?? {}) as JsonObject }, times),
    ]);
    const state = result['requestState'];
    more = { inputResponses: Object.fromEntries(answers), ...(state !== undefined && { requestState: state }) };
  }
  throw new Error('drive: more than 10 rounds');
}

/** What a legacy client serves: it answers what it is asked. Its questions have no keys, so their message stands for it. */
export function legacyInbound(answering: Answering, rounds: string[][] = [], notices: Note[] = []): Service {
  const seen = new Map<string, number>();
  return {
    answer(call) {
      const params = call.params ?? {};
      // The lines after the first say what was wrong with the answer before.
      const key = typeof params['message'] === 'string' ? String(params['message'].split('\n', 1)) : call.method;
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      rounds.push([key]);
      const answer = answering({ key, method: call.method, params }, times);
      const error = isObject(answer) && isObject(answer['rpcError']) ? answer['rpcError'] : undefined;
      if (error !== undefined) return Promise.resolve({ error: error as unknown as RpcErrorObject });
      return Promise.resolve({ result: answer as JsonObject });
    },
    notice: (note) => void notices.push(note),
  };
}

/** Opens a legacy session on a link. */
export async function shakeHands(link: Link, revision: Revision, declared: JsonObject = everything): Promise<void> {
  const params = {
    protocolVersion: revision,
    capabilities: declared,
    clientInfo: { name: 'by hand', version: '1' },
  };
  const { error } = await link.request({ method: 'initialize', params });
  if (error !== undefined) throw new Error(`initialize: ${error.message}`);
  await link.notify({ method: 'notifications/initialized' });
}

/** What serves questions where none are asked. */
export const nobody: Service = {
  answer: () => Promise.reject(new Error('nobody is asked here')),
  notice: () => undefined,
};

/** A link to a server in this process; closed when the test is over. */
export function linkTo(server: Service, over: 'direct' | 'pipe', inbound: Service = nobody): Link {
  let link: Link;
  if (over === 'direct') link = directLink(server, inbound);
  else {
    const [near, far] = memoryPipe();
    servePipe(server, far);
    link = pipeLink(near, inbound);
  }
  onTestFinished(() => link.close());
  return link;
}

/** A link to a server over HTTP. */
export function linkOverHttp(url: string, inbound: Service = nobody): Link {
  const maxBytes = 16 * 1024 * 1024;
  return httpLink(url, inbound, {
    port: undiciPort(),
    clock: systemClock,
    maxResponseBytes: maxBytes,
    maxEventBytes: maxBytes,
  });
}

/** A caller of one generation that is connected: what it calls is driven to its end. */
export interface Driver {
  readonly link: Link;
  call(name: string, args?: JsonObject, answering?: Answering): Promise<Outcome>;
}

/** A modern caller on a link. */
export function modernDriver(link: Link, usual: Answering, declared: JsonObject = everything): Driver {
  return {
    link,
    call: (name, args = {}, answering = usual) => drive(link, toolCall(name, args, {}, declared), answering),
  };
}

/** A legacy caller on a link that is opened with what serves its questions. */
export async function legacyDriver(
  open: (inbound: Service) => Link | Promise<Link>,
  usual: Answering,
  revision: Revision = '2025-11-25',
  declared: JsonObject = everything,
): Promise<Driver> {
  let rounds: string[][] = [];
  let answering = usual;
  const link = await open({
    answer: (call, exchange) => legacyInbound((asked, times) => answering(asked, times), rounds).answer(call, exchange),
    notice: () => undefined,
  });
  await shakeHands(link, revision, declared);
  return {
    link,
    async call(name, args = {}, given = usual) {
      const counted = new Map<string, number>();
      rounds = [];
      answering = (asked) => {
        const times = counted.get(asked.key) ?? 0;
        counted.set(asked.key, times + 1);
        return given(asked, times);
      };
      const asked = rounds;
      const { result, error } = await link.request({ method: 'tools/call', params: { name, arguments: args } });
      return { rounds: asked, ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
    },
  };
}

/** The ways to a server for which a modern caller is made by hand. */
export const modernWays = ['direct', 'pipe', 'http'] as const;

/** A link to a server over one of them; closed when the test is over. */
export async function modernLink(server: Service, over: (typeof modernWays)[number]): Promise<Link> {
  if (over !== 'http') return linkTo(server, over);
  const http = await serveHttp(server);
  const link = linkOverHttp(http.url);
  onTestFinished(async () => {
    await link.close();
    await http.close();
  });
  return link;
}

/** An exchange with a caller who takes whatever there is. */
export function exchangeWith(caller: Caller, cancel: Cancel = new Cancel()): Exchange {
  return { id: 1, caller, cancel, emit: () => true, drained: () => Promise.resolve() };
}

/** A server on a virtual clock, whose log is kept. */
export function observed(options: Partial<ServerOptions> = {}): {
  server: Server;
  clock: VirtualClock;
  logger: Recorder;
} {
  const clock = new VirtualClock();
  const logger = recorder();
  return { server: new Server({ name: 's', version: '1', clock, logger, ...options }), clock, logger };
}

/** An answer to a form. */
export const accept = (content: JsonObject): JsonObject => ({ action: 'accept', content });

/** A legacy caller of a server over one of the ways; closed when the test is over. */
export async function legacyOn(
  server: Service,
  over: (typeof modernWays)[number],
  answering: Answering,
  revision: Revision = '2025-11-25',
  declared: JsonObject = everything,
): Promise<Driver> {
  if (over !== 'http') return legacyDriver((inbound) => linkTo(server, over, inbound), answering, revision, declared);
  const http = await serveHttp(server);
  const driver = await legacyDriver((inbound) => linkOverHttp(http.url, inbound), answering, revision, declared);
  onTestFinished(async () => {
    await driver.link.close();
    await http.close();
  });
  return driver;
}
