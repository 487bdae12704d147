/** RFC 3339: dates, times and, in its appendix A, durations. */

export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

export function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/.exec(text);
  if (parts === null) return false;
  const [hour = 0, minute = 0, second = 0, , offsetHour = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is the last one of a day in UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1);
  return (hour * 60 + minute - offset + 2 * 1440) % 1440 === 1439;
}

export function isDateTime(text: string): boolean {
  return /^[tT]/.test(text.slice(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** Units in order, none left out between two that are there. */
const units = (a: string, b: string, c: string): string =>
  `(?:\\d+${a}(?:\\d+${b}(?:\\d+${c})?)?|\\d+${b}(?:\\d+${c})?|\\d+${c})`;
const time = `T${units('H', 'M', 'S')}`;
export const duration = new RegExp(`^P(?:\\d+W|${units('Y', 'M', 'D')}(?:${time})?|${time})$`);
