/**
 * Whether arrays and objects in a JSON text are nested in more than `limit` levels. To be asked before parsing, which
 * has no limit of its own and takes seconds over a million levels; code that walks a parsed value by recursion is
 * safe behind it. Text that is no JSON gets some answer.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  // Nearly every message has fewer brackets than levels are allowed, and finding them all is cheap.
  if (count(text, '{', limit) + count(text, '[', limit) <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case openBracket:
      case openBrace:
        if (++depth > limit) return true;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
    }
  }
  return false;
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** How often `what` occurs; it stops past `enough`. */
function count(text: string, what: string, enough: number): number {
  let found = 0;
  for (let at = text.indexOf(what); at >= 0 && found <= enough; at = text.indexOf(what, at + 1)) found++;
  return found;
}

/** Where the string ends that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
