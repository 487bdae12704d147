import { readText } from '../files.ts';
import type { Output } from '../output.ts';
import { clip, oneLine } from '../text.ts';
import { answersFor, filledUnasked, unanswered } from './answers.ts';
import { lookAt } from './address.ts';
import { fieldsOf } from './fields.ts';
import { askForm, contentOf } from './form.ts';
import type { FormAnswer, FormRequest } from './form.ts';
import type { Questions } from './questions.ts';
import { UnansweredError } from './unanswered-error.ts';
import { askUrl } from './url.ts';
import type { UrlRequest } from './url.ts';

/** What answering a server's questions takes. */
export interface ElicitorParts {
  /** Questions that end with the signal; undefined when there is no terminal to ask at. */
  readonly questions: ((signal: AbortSignal) => Promise<Questions>) | undefined;
  /** The `--answer` words. */
  readonly answers: readonly string[];
  readonly stderr: Output;
  /** Opens a browser; undefined with `--no-open`. */
  readonly openUrl: ((href: string) => Promise<string | undefined>) | undefined;
  /** Whether a request is sent again right after the answer to its question. */
  readonly resends: () => boolean;
  /** Told what was typed into hidden fields, so that it shows up nowhere else. */
  readonly hide: (secret: string) => void;
  /** The question cannot be answered: the command is to end with this error. */
  readonly fail: (error: unknown) => void;
}

type Action = { readonly action: 'accept' | 'decline' | 'cancel' };
type Cancelled = { readonly action: 'cancel' };

/** Who asks, and until when. */
export interface Asker {
  readonly server: string;
  readonly signal: AbortSignal;
}

/** Answers what a server asks a person: from `--answer`, or by asking at the terminal, one question at a time. */
export class Elicitor {
  readonly #parts: ElicitorParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ElicitorParts) {
    this.#parts = parts;
  }

  /** Fills in a form; cancels it and ends the command when that cannot be done. */
  form(request: FormRequest, asker: Asker): Promise<FormAnswer> {
    return this.#inTurn(asker, () => this.#fill(request, asker));
  }

  /** Asks whether to go to an address. */
  url(request: UrlRequest, asker: Asker): Promise<Action> {
    return this.#inTurn(asker, async (): Promise<Action> => {
      const { questions, stderr, openUrl, resends } = this.#parts;
      if (questions === undefined) {
        const href = lookAt(request.url)?.href ?? oneLine(request.url);
        throw new UnansweredError(
          `the server asks you to go to ${clip(href, 300)}, and there is no terminal to ask for your consent`,
          'run it in a terminal; --no-open shows the address there and opens nothing',
        );
      }
      const action = await askUrl(request, {
        questions: await questions(asker.signal),
        who: shown(asker.server),
        paint: stderr.style.paint,
        open: openUrl,
        waits: resends(),
      });
      return { action };
    });
  }

  async #fill(request: FormRequest, { server, signal }: Asker): Promise<FormAnswer> {
    const { questions, answers, hide, stderr } = this.#parts;
    const given = answersFor(request.schema, answers, readText);
    const fields = fieldsOf(request.schema);
    if (given.values.size > 0 && given.missing.length === 0) {
      const content = contentOf(fields, filledUnasked(request.schema, given));
      const sent = Object.keys(content).map((name) => oneLine(name));
      const what = `${shown(server)} asks "${clip(oneLine(request.message), 160)}"`;
      stderr.line(stderr.style.paint.dim(`${what}: answered with ${clip(sent.join(', '), 200)}`));
      return { action: 'accept', content };
    }
    if (questions === undefined) throw unanswered(request.message, request.schema, given);
    const person = await questions(signal);
    const secret: Questions['secret'] = async (question) => {
      const typed = await person.secret(question);
      if (typed !== undefined) hide(typed);
      return typed;
    };
    return askForm({ ...person, secret }, request, shown(server), given.values);
  }

  /** A terminal has room for one question. */
  #inTurn<T>(asker: Asker, ask: () => Promise<T>): Promise<T | Cancelled> {
    const turn = this.#last.then(() => this.#alone(asker, ask));
    this.#last = turn;
    return turn;
  }

  async #alone<T>({ signal }: Asker, ask: () => Promise<T>): Promise<T | Cancelled> {
    if (signal.aborted) return { action: 'cancel' };
    const { stderr, fail } = this.#parts;
    stderr.hold();
    try {
      return await ask();
    } catch (error) {
      // Nobody waits for the answer any more: no fault of anybody.
      if (!signal.aborted) fail(error);
      return { action: 'cancel' };
    } finally {
      stderr.release();
    }
  }
}

/** The server as it may be shown. */
function shown(server: string): string {
  return clip(oneLine(server), 200);
}
