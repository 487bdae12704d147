import { InvalidResponseError, McpError, ResponseStreamClosedError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';
import { sample, type Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { metaKeys } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, HttpResponse, Note, Reply } from '../ports/index.ts';
import { readMessage, type Message } from '../wire/index.ts';
import { hiddenHead, hide, hideIn } from './http-headers.ts';
import { httpFailure, outranksBody } from './http-failure.ts';
import { readEvents, type Place } from './sse.ts';

/** A request that has gone out, as far as its answer depends on it. */
export interface Asked {
  readonly call: Call;
  readonly id: RequestId;
  /** Modern: all that comes with the answer is the request's own, and the server may not ask. */
  readonly modern: boolean;
  /** As sent: what of it the server repeats is not to be shown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly emit: ((note: Note) => void) | undefined;
  /** Learns how far the stream of the answer has come, where the rest of it can be asked for. */
  readonly place?: Place | undefined;
}

/** How answers are read on a link. */
export interface Reading {
  readonly maxResponseBytes: number;
  readonly maxEventBytes: number;
  readonly logger: Logger;
  /** Sees what comes, for debugging. Does not throw. */
  readonly frame: ((text: string, status: number) => void) | undefined;
  /** Takes what a legacy server says beside the answer. */
  readonly aside: (message: Message & { kind: 'request' | 'notification' }) => void;
}

const json = 'application/json';
const sse = 'text/event-stream';

/** The media type of a response, without parameters, in lower case. */
export function mediaType(response: HttpResponse): string {
  const type = response.header('content-type') ?? '';
  if (type === json || type === sse) return type;
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/**
 * Reads the answer to a request: one JSON object or a stream of events ("Receiving Messages").
 *
 * @throws ResponseStreamClosedError when the stream ends without it
 * @throws InvalidResponseError for a success that holds no answer, HttpStatusError and its kin for a failure
 */
export function readAnswer(response: HttpResponse, asked: Asked, reading: Reading): Promise<Reply> {
  if (!isSuccess(response)) return readFailure(response, asked, reading);
  switch (mediaType(response)) {
    case json:
      return readJson(response, asked, reading);
    case sse:
      return readStream(response, asked, reading);
    default:
      return readNothing(response, asked, reading);
  }
}

/** 2xx. */
export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

async function readJson(response: HttpResponse, asked: Asked, reading: Reading): Promise<Reply> {
  const text = await response.text(reading.maxResponseBytes);
  const found = take(text, response, asked, reading);
  if (found === undefined) throw noAnswer(response, asked, text);
  if (found instanceof InvalidResponseError) throw found;
  return found;
}

async function readStream(response: HttpResponse, asked: Asked, reading: Reading): Promise<Reply> {
  let found: Reply | InvalidResponseError | undefined;
  const end = await readEvents(
    response.body,
    reading.maxEventBytes,
    (data) => {
      found = take(data, response, asked, reading);
      return found === undefined ? 'more' : 'enough';
    },
    asked.place,
  );
  if (found === undefined) throw end.how === 'broken' ? asStreamError(end.error) : new ResponseStreamClosedError();
  if (found instanceof InvalidResponseError) throw found;
  return found;
}

/** Takes a message, or a batch as 2025-03-26 allows it; the first response to the request in it is the answer. */
function take(
  text: string,
  response: HttpResponse,
  asked: Asked,
  reading: Reading,
): Reply | InvalidResponseError | undefined {
  show(text, response, asked, reading);
  const parsed = parseJson(text);
  if (!Array.isArray(parsed) || asked.modern) return takeOne(parsed, response, asked, reading);
  let found: Reply | InvalidResponseError | undefined;
  for (const each of parsed as unknown[]) found = takeOne(each, response, asked, reading) ?? found;
  return found;
}

function takeOne(
  parsed: unknown,
  { status }: HttpResponse,
  asked: Asked,
  reading: Reading,
): Reply | InvalidResponseError | undefined {
  const message = readMessage(parsed);
  switch (message.kind) {
    case 'result':
      return message.id === asked.id ? { result: message.result } : undefined;
    case 'error':
      // An error without id can be the response to nothing else.
      if (message.id !== asked.id && message.id !== undefined) return undefined;
      return { error: hideIn(message.error, asked.headers), status };
    case 'broken-response':
      if (message.id !== asked.id && message.id !== undefined) return undefined;
      return new InvalidResponseError(`${asked.call.method}: ${message.problem}`, { status });
    case 'notification':
      if (message.method === 'notifications/progress') {
        if (isProgressOf(message, asked.call)) safely(reading.logger, () => asked.emit?.(message));
      } else if (asked.modern) safely(reading.logger, () => asked.emit?.(message));
      else setAside(message, reading);
      return undefined;
    case 'request':
      // Modern servers may not ask: they end the request with what they need.
      if (!asked.modern) setAside(message, reading);
      return undefined;
    case 'invalid':
      return undefined;
  }
}

/** Hands over what a legacy server says beside an answer; whatever becomes of it, the answer is read on. */
export function setAside(message: Message & { kind: 'request' | 'notification' }, { aside, logger }: Reading): void {
  safely(logger, () => aside(message));
}

/** A failure may hold a JSON-RPC error that says more than its status, whatever it says it holds. */
async function readFailure(response: HttpResponse, asked: Asked, reading: Reading): Promise<Reply> {
  const { status } = response;
  const text = await textOf(response, reading.maxResponseBytes);
  show(text, response, asked, reading);
  const message = readMessage(parseJson(text));
  const named = message.kind === 'error' && (message.id === asked.id || message.id === undefined);
  const error = named ? hideIn(message.error, asked.headers) : undefined;
  if (error !== undefined && !outranksBody(response)) return { error, status };
  throw httpFailure(hiddenHead(response, asked.headers), asked.call.method, hide(text, asked.headers), error);
}

/** A success that is neither of the two types a server may answer with: a page of a proxy, an empty 202. */
async function readNothing(response: HttpResponse, asked: Asked, reading: Reading): Promise<never> {
  const text = await textOf(response, Math.min(reading.maxResponseBytes, 64 * 1024));
  show(text, response, asked, reading);
  throw noAnswer(response, asked, text);
}

/** What the body says if it can be read: it is the status that counts. */
export async function textOf(response: HttpResponse, maxBytes: number): Promise<string> {
  try {
    return await response.text(maxBytes);
  } catch {
    return '';
  }
}

function show(text: string, { status }: HttpResponse, { headers }: Asked, { frame }: Reading): void {
  frame?.(hide(text, headers), status);
}

function isProgressOf({ params }: Note, call: Call): boolean {
  const meta = call.params?.['_meta'];
  const token = isObject(meta) ? meta[metaKeys.progressToken] : undefined;
  return token !== undefined && params?.['progressToken'] === token;
}

function noAnswer(response: HttpResponse, { call, headers }: Asked, text: string): InvalidResponseError {
  const { status } = response;
  const type = mediaType(response);
  const what = type === '' ? 'no content type' : sample(type, 100);
  const said = text.trim() === '' ? 'an empty body' : sample(hide(text, headers).trim());
  return new InvalidResponseError(`${call.method}: HTTP ${status} without an answer: ${what}: ${said}`, { status });
}

/** A stream that broke and one that ended too early come to the same: the response was lost on its way. */
function asStreamError(error: unknown): Error {
  const known = McpError.is(error) && error.code !== 'transport' ? error : undefined;
  return known ?? new ResponseStreamClosedError({ cause: error });
}
