import { ArgumentError, CapabilityError, InvalidResponseError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Lift, Page } from '../wire/index.ts';
import { demand } from './capabilities.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions, Settings } from './options.ts';
import type { Requests } from './requests.ts';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Where to start: a cursor of the server's, from a result of `sendRequest`. Default: at the beginning. */
  cursor?: string | undefined;
}

/** A kind of list: how it is asked for, what has to be declared for it, and how its pages are read. */
export interface ListKind<Entry> {
  readonly method: string;
  readonly feature: 'tools' | 'resources' | 'prompts';
  read(lift: Lift, result: JsonObject): Page<Entry>;
}

/** The entries of one page, and the connection it came on. */
export interface ListedPage<Entry> {
  readonly entries: readonly Entry[];
  readonly connection: Connection;
}

/**
 * The pages of a list, each asked for when it is wanted (server/utilities/pagination). A server that does not declare
 * what is listed is not asked: there are none, unless the connection is `strict`.
 *
 * @throws InvalidResponseError when a cursor comes again, or there are more pages than `maxPages`
 * @throws CapabilityError when it is `strict` and the server does not declare what is listed
 */
export async function* pagesOf<Entry>(
  { method, feature, read }: ListKind<Entry>,
  requests: Requests,
  { cursor: start, ...options }: ListOptions,
  { strict, maxPages, logger }: Settings,
): AsyncGenerator<ListedPage<Entry>> {
  if (start !== undefined && typeof start !== 'string') throw new ArgumentError(`${method}: a cursor is text`);
  const cursors = new Set<string>();
  let cursor = start;
  for (let pages = 1; ; pages++) {
    if (cursor !== undefined) cursors.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const answer = await requests
      .send((on) => {
        demand(on, feature, method);
        return { method, params };
      }, options)
      .catch((error: unknown) => {
        if (pages > 1 || strict || !(error instanceof CapabilityError)) throw error;
      });
    if (answer === undefined) return;
    const { result, connection } = answer;
    const { entries, nextCursor, problems = [] } = read(connection.wire.lift, result);
    for (const problem of problems) logger.warn(`${problem}: it is left out`);
    yield { entries, connection };
    const said = result['nextCursor'];
    if (said !== undefined && said !== null && typeof said !== 'string')
      logger.warn(`${method}: a nextCursor of type ${typeof said} ends the list: a cursor is text`);
    if (nextCursor === undefined) return;
    if (cursors.has(nextCursor) || pages >= maxPages)
      throw new InvalidResponseError(`${method}: the list does not end (${pages} pages)`);
    cursor = nextCursor;
  }
}

/** The entries of all pages, one by one. */
export async function* entriesOf<Entry>(pages: AsyncIterable<ListedPage<Entry>>): AsyncGenerator<Entry> {
  for await (const { entries } of pages) yield* entries;
}

/** All entries at once. */
export async function gather<Entry>(pages: AsyncIterable<ListedPage<Entry>>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const { entries } of pages) for (const entry of entries) all.push(entry);
  return all;
}
