/** Addresses of hosts and people: RFC 1123, 5890-5892, 2673, 4291, 5321, 6531. */
import { fromPunycode } from './punycode.ts';

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`);

export function isIpv4(text: string): boolean {
  return ipv4.test(text);
}

export function isIpv6(text: string): boolean {
  const halves = text.split('::', 3);
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [half, part] of halves.entries()) {
    const pieces = part === '' ? [] : part.split(':', 9);
    for (const [at, piece] of pieces.entries()) {
      const isLast = half === halves.length - 1 && at === pieces.length - 1;
      if (isLast && isIpv4(piece)) groups += 2;
      else if (/^[\da-fA-F]{1,4}$/.test(piece)) groups++;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/** The ASCII form the platform gives the name of a host: it knows what Unicode may be in one. */
function asciiOf(label: string): string | undefined {
  try {
    return new URL(`http://${label}/`).hostname;
  } catch {
    return undefined;
  }
}

const maxLabel = 63;
const maxName = 253;

export function isHostname(text: string): boolean {
  return text.length <= maxName && text.split('.').every(isAsciiLabel);
}

function isAsciiLabel(label: string): boolean {
  return (
    label.length <= maxLabel &&
    /^[a-zA-Z\d](?:[a-zA-Z\d-]*[a-zA-Z\d])?$/.test(label) &&
    (!/^xn--/i.test(label) || isEncoded(label))
  );
}

/** Whether it is the one way to write a name with Unicode in ASCII. */
function isEncoded(label: string): boolean {
  const decoded = fromPunycode(label.slice(4));
  return decoded !== undefined && isUnicodeLabel(decoded) && asciiOf(decoded) === label.toLowerCase();
}

/** Characters that are only right beside certain others, or never (RFC 5892, sections 2.6 and A). */
const misplaced =
  /[\u302E\u302F\u0640\u07FA\u3031-\u3035\u303B]|(?<!l)\u00B7|\u00B7(?!l)|\u0375(?!\p{Script=Greek})|(?<!\p{Script=Hebrew})[\u05F3\u05F4]/u;
const arabicDigits = [/[\u0660-\u0669]/, /[\u06F0-\u06F9]/];
/** Letters, marks, numbers, hyphens, and the exceptions of RFC 5892. */
const allowed = /^[\p{L}\p{M}\p{N}\p{Pd}\u00B7\u0375\u05F3\u05F4\u30FB\u0F0B\u06FD\u06FE\u200C\u200D]+$/u;
const katakanaDot = '\u30FB';
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

export function isIdnHostname(text: string): boolean {
  return (
    text.length <= maxName &&
    text.split(/[.\u3002\uFF0E\uFF61]/).every((label) => isAsciiLabel(label) || isUnicodeLabel(label))
  );
}

function isUnicodeLabel(label: string): boolean {
  if (isAscii(label) || /^[-\p{M}]|-$|^..--/u.test(label) || misplaced.test(label)) return false;
  if (arabicDigits.every((digit) => digit.test(label))) return false;
  if (label.includes(katakanaDot) && !kana.test(label.replaceAll(katakanaDot, ''))) return false;
  return allowed.test(label) && (asciiOf(label)?.length ?? Infinity) <= maxLabel;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

const atom = "[\\w!#$%&'*+/=?^`{|}~\\-";
const local = (more: string): RegExp =>
  new RegExp(`^(?:${atom}${more}]+(?:\\.${atom}${more}]+)*|"(?:[ !#-\\[\\]-~${more}]|\\\\[ -~])*")$`, 'u');
const asciiLocal = local('');
const anyLocal = local('\\u0080-\\u{10FFFF}');

function isAddress(text: string, locals: RegExp, isDomain: (domain: string) => boolean): boolean {
  const at = text.lastIndexOf('@');
  if (at < 0 || !locals.test(text.slice(0, at))) return false;
  const domain = text.slice(at + 1);
  const literal = /^\[(IPv6:)?(.*)\]$/.exec(domain);
  if (literal === null) return isDomain(domain);
  const [, isSix, address = ''] = literal;
  return isSix === undefined ? isIpv4(address) : isIpv6(address);
}

export function isEmail(text: string): boolean {
  return isAddress(text, asciiLocal, isHostname);
}

export function isIdnEmail(text: string): boolean {
  // What is too long stays so when it is composed, which takes longer and longer.
  return isAddress(text, anyLocal, (domain) => domain.length <= 4 * maxName && isIdnHostname(domain.normalize('NFC')));
}
