import type { Frame } from 'hawser';
import { isObject } from './schema.ts';
import { clip, count, oneLine } from './text.ts';

const longestFrame = 10_000;

/** A frame for `--verbose`: time, direction, text; then the HTTP headers, one a line. */
export function frameLines(frame: Frame, elapsedMs: number): string[] {
  const arrow = frame.direction === 'out' ? '→' : '←';
  const status = frame.status === undefined ? '' : `HTTP ${frame.status} `;
  const text = oneLine(frame.text);
  const cut = clip(text, longestFrame);
  const rest = cut === text ? '' : ` (${count(text.length, 'character')})`;
  const head = `${elapsedMs.toFixed(0).padStart(6)} ms ${arrow} ${status}${cut}${rest}`;
  const headers = Object.entries(frame.headers ?? {}).map(
    ([name, value]) => `${' '.repeat(12)}${oneLine(name)}: ${clip(oneLine(value), 400)}`,
  );
  return [head, ...headers];
}

/** How a step ends that nothing came back for. */
export const noAnswer = 'no answer';

interface Question {
  readonly method: string;
  readonly version: string | undefined;
  answer: string | undefined;
}

/** Listens to frames and remembers how the era was found: what was asked, what came back. */
export class History {
  readonly #questions = new Map<string, Question>();
  readonly #versions: string[] = [];

  /** Takes a frame in. */
  see(frame: Frame): void {
    const messages = messagesIn(frame.text);
    if (frame.direction === 'out') for (const message of messages) this.#asked(message);
    else if (messages.length > 0) for (const message of messages) this.#answered(message, frame.status);
    else if (frame.status !== undefined) this.#status(frame.status);
  }

  /** The revisions that the server named, in a DiscoverResult or a refusal; undefined if it named none. */
  get supportedVersions(): readonly string[] | undefined {
    return this.#versions.length === 0 ? undefined : [...this.#versions];
  }

  /** One line per question. */
  get steps(): string[] {
    return [...this.#questions.values()].map(({ method, version, answer }) => {
      const offer = version === undefined ? '' : ` (${version})`;
      return `${method}${offer}: ${answer ?? noAnswer}`;
    });
  }

  #asked(message: Record<string, unknown>): void {
    const { method, id, params } = message;
    if (method !== 'server/discover' && method !== 'initialize') return;
    this.#questions.set(JSON.stringify(id), { method, version: proposed(params), answer: undefined });
  }

  #answered(message: Record<string, unknown>, status: number | undefined): void {
    const question = this.#questionOf(message);
    if (question === undefined || question.answer !== undefined) return;
    const { result, error } = message;
    if (isObject(result)) {
      const versions = strings(result['supportedVersions']);
      this.#versions.push(...versions.filter((version) => !this.#versions.includes(version)));
      const version = result['protocolVersion'];
      question.answer = typeof version === 'string' ? `agreed on ${version}` : 'answered';
    } else if (isObject(error)) {
      const data = error['data'];
      const versions = isObject(data) ? strings(data['supported']) : [];
      this.#versions.push(...versions.filter((version) => !this.#versions.includes(version)));
      const http = status === undefined || status === 200 ? '' : `HTTP ${status}, `;
      question.answer = `${http}error ${String(error['code'])} ${clip(String(error['message']), 80)}`.trimEnd();
    }
  }

  /** By its id; an error without one can only be meant for what is still open. */
  #questionOf(message: Record<string, unknown>): Question | undefined {
    const { id, error } = message;
    if (id === null && error !== undefined) {
      return [...this.#questions.values()].find((question) => question.answer === undefined);
    }
    return this.#questions.get(JSON.stringify(id));
  }

  #status(status: number): void {
    for (const question of this.#questions.values()) question.answer ??= `HTTP ${status}`;
  }
}

function proposed(params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const version = params['protocolVersion'] ?? meta['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The JSON-RPC messages of a frame: one message, a batch, or the `data` of server-sent events. */
function messagesIn(text: string): Record<string, unknown>[] {
  const whole = parse(text);
  if (whole !== undefined) return (Array.isArray(whole) ? whole : [whole]).filter(isObject);
  const data = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => parse(line.slice('data:'.length)));
  return data.filter(isObject);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
