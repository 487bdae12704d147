import { isDate } from '../schema/formats/dates.ts';

/** Whether text has one of the formats a form may ask for; other formats are not known and fit always. */
export function fitsFormat(format: string, text: string): boolean {
  switch (format) {
    case 'email':
      return isEmail(text);
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(text) && URL.canParse(text);
    case 'date':
      return isDate(text);
    case 'date-time':
      return isDateTime(text);
    default:
      return true;
  }
}

/** One `@` between something and a name of a host; whether mail arrives there only mail can tell. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || local.length > 64 || /[\s@]/.test(local) || domain.length > 255) return false;
  return domain.split('.').every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label));
}

/** RFC 3339 `date-time`; a second may be a leap second. */
function isDateTime(text: string): boolean {
  const [, date, hour, minute, second, offset] =
    /^(\d{4}-\d\d-\d\d)t(\d\d):(\d\d):(\d\d)(?:\.\d+)?(z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
  if (date === undefined || offset === undefined || !isDate(date)) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  return offset.length === 1 || (Number(offset.slice(1, 3)) <= 23 && Number(offset.slice(4)) <= 59);
}
