// Draws rows at random, the same ones for the same seed.

/** A generator of numbers in [0, 1) from a text (mulberry32 over an FNV-1a hash). */
export function seeded(text) {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` different rows (all of them when there are fewer), in the order drawn. */
export function draw(rows, count, seed) {
  const random = seeded(seed);
  const rest = [...rows];
  const drawn = [];
  while (drawn.length < count && rest.length > 0) drawn.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return drawn;
}
