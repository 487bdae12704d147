import type { Paint } from '../output.ts';
import { clip, visible } from '../text.ts';
import { lookAt } from './address.ts';
import type { Questions } from './questions.ts';

/** A server's wish that a person goes to an address. */
export interface UrlRequest {
  readonly message: string;
  readonly url: string;
}

/** What is needed to ask for consent. */
export interface UrlAsking {
  readonly questions: Questions;
  /** The server as it may be shown. */
  readonly who: string;
  readonly paint: Paint;
  /** Opens a browser; resolves with why that failed. Undefined: the address is only shown (`--no-open`). */
  readonly open: ((href: string) => Promise<string | undefined>) | undefined;
  /** Whether the request is sent again right after the answer, so that it should wait until the person is done. */
  readonly waits: boolean;
}

/**
 * Shows the whole address with its host set apart, asks for consent and opens it only then. Nothing is fetched.
 * `accept` says that the person consented, not that anything is done (MCP 2026-07-28, client/elicitation "URL Mode").
 */
export async function askUrl(request: UrlRequest, asking: UrlAsking): Promise<'accept' | 'decline' | 'cancel'> {
  const { questions, who, paint, open } = asking;
  const address = lookAt(request.url);
  if (address === undefined) {
    questions.say(`${who} asks you to go to an address that is none; it is told that you declined.`);
    return 'decline';
  }
  const [before, host, after] = address.parts;
  const message = visible(request.message.trim()).split('\n').slice(0, 40);
  questions.say(
    [
      `${who} asks you to go to a web page:`,
      ...message.map((line) => `  ${clip(line, 500)}`),
      '',
      `  ${before}${paint.bold(paint.yellow(host))}${after}`,
      '',
      ...(host === '' ? [] : [`Host: ${paint.bold(host)}`]),
      ...address.warnings.map((warning) => paint.red(`Warning: ${warning}`)),
      'hawser and the server behind it do not see what you do there. Only go on if you expected this.',
    ].join('\n'),
  );
  const consent = await questions.choose<'accept' | 'decline' | 'cancel'>({
    message: open !== undefined && address.canOpen ? 'Open this page in your browser?' : 'Will you go to this page?',
    choices: [
      { value: 'decline', label: 'No: tell the server that you say no' },
      ...(address.canOpen
        ? [{ value: 'accept' as const, label: open === undefined ? 'Yes, I open it myself' : 'Yes, open it' }]
        : []),
      { value: 'cancel', label: 'Cancel: tell the server that you gave no answer' },
    ],
    initial: 'decline', // A key pressed a moment too early must not be a consent.
  });
  if (consent !== 'accept') return consent ?? 'cancel';
  const failure = await open?.(address.href);
  if (failure !== undefined) questions.say(`It could not be opened (${failure}). Open it yourself:\n  ${address.href}`);
  if (!asking.waits) return 'accept';
  const done = await questions.choose<'accept' | 'cancel'>({
    message: 'Done there?',
    choices: [
      { value: 'accept', label: 'Go on: ask the server again' },
      { value: 'cancel', label: 'Cancel' },
    ],
  });
  return done ?? 'cancel';
}
