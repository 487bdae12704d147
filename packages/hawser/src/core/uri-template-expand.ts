/** URI templates filled in: RFC 6570, section 3.2. */
import type { Expression, Part, Variable } from './uri-template-parse.ts';

/** A value for a variable: text, a list, or a map. An absent one expands to nothing, as do empty lists and maps. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>> | undefined;

export function expandParts(parts: readonly Part[], values: Readonly<Record<string, TemplateValue>>): string {
  return parts.map((part) => (typeof part === 'string' ? encodeLiteral(part) : expand(part, values))).join('');
}

function expand({ operator, variables }: Expression, values: Readonly<Record<string, TemplateValue>>): string {
  const written = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    return value === undefined ? [] : write(variable, value, operator);
  });
  return written.length === 0 ? '' : operator.first + written.join(operator.separator);
}

/** The pieces that the expression's separator joins; none for a value that is not defined. */
function write({ name, explode, prefix }: Variable, value: TemplateValue, operator: Expression['operator']): string[] {
  const { named, ifEmpty, reserved } = operator;
  const withName = (key: string, text: string): string => key + (text === '' ? ifEmpty : `=${text}`);
  if (typeof value === 'string') {
    const text = encode(prefix === undefined ? value : Array.from(value).slice(0, prefix).join(''), reserved);
    return [named ? withName(name, text) : text];
  }
  const isList = Array.isArray(value);
  const pairs = Object.entries(value as Readonly<Record<string, string>>).map(
    ([key, item]) => [encode(key, reserved), encode(item, reserved)] as const,
  );
  if (pairs.length === 0) return [];
  if (!explode) {
    const text = pairs.map(([key, item]) => (isList ? item : `${key},${item}`)).join(',');
    return [named ? withName(name, text) : text];
  }
  if (!isList) return pairs.map(([key, item]) => (named ? withName(key, item) : `${key}=${item}`));
  return pairs.map(([, item]) => (named ? withName(name, item) : item));
}

/** Text between expressions, as it stands in a URI: what no URI has is encoded. */
export function encodeLiteral(text: string): string {
  return encode(text, true);
}

/** Percent-encoding; with `reserved`, reserved characters and what is encoded already stay. */
function encode(text: string, reserved: boolean): string {
  // Half of a surrogate pair has no encoding.
  const whole = text.replaceAll(/\p{Cs}/gu, '\ufffd');
  const kept = reserved ? /%(?![0-9A-Fa-f]{2})|[^\w.~:/?#[\]@!$&'()*+,;=%-]+/gu : /[^\w.~-]+/gu;
  return whole.replaceAll(kept, (some) =>
    encodeURIComponent(some).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  );
}
