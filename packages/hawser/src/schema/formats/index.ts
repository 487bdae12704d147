/** The formats of the dialects (2020-12 validation 7.3). Each is linear in the text. */
import type { Format, FormatOf } from './port.ts';
import { duration, isDate, isDateTime, isTime } from './dates.ts';
import { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6 } from './hosts.ts';
import { isIri, isIriReference, isUri, isUriReference, uriTemplate } from './uris.ts';

const like =
  (expression: RegExp): Format =>
  (text) =>
    expression.test(text);

/** Steps for one expression. */
const compileSteps = 100;
/** Steps for one `\p{…}`: the platform makes its set anew each time. */
const propertySteps = 3_000;

const isRegex: Format = (text, run) => {
  run.spend(compileSteps + propertySteps * (text.split(/\\p/i).length - 1));
  try {
    return new RegExp(text, 'u').unicode;
  } catch {
    return false;
  }
};

/** Steps for each character of a name that is not ASCII, or encodes one that is not: it is encoded and decoded. */
const unicodeSteps = 20;

function named(format: (text: string) => boolean): Format {
  return (text, run) => {
    if (/[^\0-\x7F]|xn--/i.test(text)) run.spend(unicodeSteps * Math.min(text.length, 1_000));
    return format(text);
  };
}

/** Formats that draft-07 does not have. */
const later = new Set(['duration', 'uuid']);

const formats = new Map<string, Format>([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['duration', like(duration)],
  ['email', named(isEmail)],
  ['idn-email', named(isIdnEmail)],
  ['hostname', named(isHostname)],
  ['idn-hostname', named(isIdnHostname)],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['iri', isIri],
  ['iri-reference', isIriReference],
  ['uri-template', like(uriTemplate)],
  ['uuid', like(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)],
  ['json-pointer', like(/^(?:\/(?:[^~/]|~[01])*)*$/)],
  ['relative-json-pointer', like(/^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/)],
  ['regex', isRegex],
]);

/** The check of a format that a dialect has. */
export const formatOf: FormatOf = (name, { vocabularies }) => {
  if (typeof name !== 'string' || (!vocabularies && later.has(name))) return undefined;
  return formats.get(name);
};
