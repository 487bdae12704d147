const base = 36;
const [low, high, skew, damp] = [1, 26, 38, 700] as const;

/** What a Punycode text stands for (RFC 3492, section 6.2); undefined when it is none. */
export function fromPunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const points = Array.from(text.slice(0, Math.max(0, delimiter)), (sign) => sign.codePointAt(0) ?? 0);
  let point = 0x80;
  let bias = 72;
  let index = 0;
  let at = delimiter + 1;
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let threshold = base; ; threshold += base) {
      const sign = Number.parseInt(text[at++] ?? '', base);
      if (Number.isNaN(sign)) return undefined;
      // Letters are the digits from 0 to 25, figures those from 26 on.
      const digit = sign < 10 ? sign + 26 : sign - 10;
      index += digit * weight;
      const limit = Math.min(high, Math.max(low, threshold - bias));
      if (digit < limit) break;
      weight *= base - limit;
    }
    const count = points.length + 1;
    bias = adapted(index - before, count, before === 0);
    point += Math.floor(index / count);
    if (point > 0x10ffff) return undefined;
    index %= count;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / count);
  let steps = 0;
  for (; rest > ((base - low) * high) / 2; steps += base) rest = Math.floor(rest / (base - low));
  return steps + Math.floor((base * rest) / (rest + skew));
}
