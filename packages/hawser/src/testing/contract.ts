/** One thing that an implementation of a port has to do; for any test runner. */
export interface ContractCase {
  /** What it does, in words. */
  readonly name: string;
  /** Rejects when it does not. What never comes is waited for: the test runner has the limit. */
  run(): Promise<void>;
}

/** @throws Error when they are not alike as JSON */
export function same(seen: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, and it was ${left}`);
}
