/** RFC 3986 and 3987 addresses, RFC 6570 templates. */
import { isIpv6 } from './hosts.ts';

const percent = '%[\\dA-Fa-f]{2}';
const common = "\\w.~!$&'()*+,;=\\-";
const international = '\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF\\u{10000}-\\u{EFFFD}';
const privateUse = '\\uE000-\\uF8FF\\u{F0000}-\\u{10FFFD}';

/** Tells addresses, relative ones too if they are wanted. */
function addresses(more: string, moreInQuery: string, isRelative: boolean): (text: string) => boolean {
  const some = (signs: string): string => `(?:[${common}${more}${signs}]|${percent})*`;
  const authority = `(?:${some(':')}@)?(?:\\[([^\\]]*)\\]|${some('')})(?::\\d*)?`;
  const path = some(':@/');
  const hierarchy = (first: string): string => `(?://${authority}(?:/${path})?|(?!//)${first})`;
  const start = `[A-Za-z][A-Za-z\\d+.\\-]*:${hierarchy(path)}`;
  const relative = hierarchy(`${some('@')}(?:/${path})?`);
  const end = `(?:\\?${some(`:@/?${moreInQuery}`)})?(?:#${some(':@/?')})?`;
  const expression = new RegExp(`^(?:${isRelative ? `${start}|${relative}` : start})${end}$`, 'u');
  return (text) => {
    const found = expression.exec(text);
    if (found === null) return false;
    const literal = found[1] ?? found[2];
    return literal === undefined || isIpv6(literal) || /^[vV][\dA-Fa-f]+\.[\w.~!$&'()*+,;=:-]+$/.test(literal);
  };
}

export const isUri = addresses('', '', false);
export const isUriReference = addresses('', '', true);
export const isIri = addresses(international, privateUse, false);
export const isIriReference = addresses(international, privateUse, true);

const name = `(?:\\w|${percent})(?:\\.?(?:\\w|${percent}))*(?:\\*|:[1-9]\\d{0,3})?`;
export const uriTemplate = new RegExp(
  `^(?:[^\\x00-\\x20"%<>\\\\^\`{|}\\x7F]|${percent}|\\{[+#./;?&=,!@|]?${name}(?:,${name})*\\})*$`,
  'u',
);
