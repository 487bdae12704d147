/** Exact arithmetic on numbers as JSON writes them: in decimal. */

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The number that is written, not the nearest binary fraction. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Tells whether a number is a multiple of `divisor`, which is above zero: 0.3 is one of 0.1. */
export function multiplesOf(divisor: number): (value: number) => boolean {
  const { digits, exponent } = decimalOf(divisor);
  const isWhole = Number.isSafeInteger(divisor);
  return (value) => {
    if (isWhole && Number.isSafeInteger(value)) return value % divisor === 0;
    if (!Number.isFinite(value)) return false;
    const other = decimalOf(value);
    const shift = BigInt(Math.abs(other.exponent - exponent));
    return other.exponent >= exponent
      ? (other.digits * 10n ** shift) % digits === 0n
      : other.digits % (digits * 10n ** shift) === 0n;
  };
}
