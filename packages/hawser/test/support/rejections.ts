/** Rejections that nobody handled, since they were last taken. */
const seen: unknown[] = [];
let listening = false;

/** Begins to collect. A second call does nothing. */
export function collectRejections(source: Pick<NodeJS.EventEmitter, 'on'> = process): void {
  if (listening) return;
  listening = true;
  source.on('unhandledRejection', (reason: unknown) => seen.push(reason));
}

/** Gives what was collected and begins anew. */
export function takeRejections(): unknown[] {
  return seen.splice(0);
}
