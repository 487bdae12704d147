import type { RequestId, Revision } from '../model/types.ts';
import type { Note } from '../ports/index.ts';
import { noteText, wireOf } from '../wire/index.ts';

/** Stands for the id of a subscription. */
const mark = '\u0000subscription';
const marked = JSON.stringify(mark);

/** What stands before and after the id, by revision. */
type Parts = readonly [before: string, after: string | undefined];

const written = new WeakMap<Note, Map<Revision, Parts>>();

/** A notice to a subscription, as JSON text. It is written once for all who get the same notice. */
export function subscribedText(note: Note, revision: Revision, id: RequestId): string {
  let byRevision = written.get(note);
  if (byRevision === undefined) written.set(note, (byRevision = new Map<Revision, Parts>()));
  let parts = byRevision.get(revision);
  if (parts === undefined) byRevision.set(revision, (parts = partsOf(note, revision)));
  const [before, after] = parts;
  return after === undefined ? before : before + JSON.stringify(id) + after;
}

function partsOf({ method, params }: Note, revision: Revision): Parts {
  const { lower, facts } = wireOf(revision);
  const text = noteText(method, lower.subscribed(params, mark));
  if (!facts.listens) return [text, undefined];
  // The id is the last thing in it, whatever else looks like the mark.
  const at = text.lastIndexOf(marked);
  return [text.slice(0, at), text.slice(at + marked.length)];
}
