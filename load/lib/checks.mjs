/** What a run has found: lines as it goes, and whether all held. */
export class Checks {
  #failed = 0;
  #passed = 0;

  say(line) {
    console.log(`  ${line}`);
  }

  /** A figure that has a bound. */
  atMost(what, value, bound, unit = '') {
    this.that(`${what}: ${round(value)} (at most ${round(bound)}${unit})`, value <= bound);
  }

  equal(what, value, expected) {
    this.that(value === expected ? `${what}: ${value}` : `${what}: ${value}, expected ${expected}`, value === expected);
  }

  that(what, holds) {
    if (holds) this.#passed += 1;
    else this.#failed += 1;
    console.log(`  ${holds ? 'ok  ' : 'FAIL'} ${what}`);
  }

  /** The closing line, and the exit code. */
  end(seconds) {
    console.log(`\n${this.#passed} checks held, ${this.#failed} failed, in ${seconds.toFixed(0)} s`);
    return this.#failed === 0 && this.#passed > 0 ? 0 : 1;
  }
}

export const round = (value, digits = 1) =>
  Number.isFinite(value) ? value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : digits }) : '–';

const mib = 1024 * 1024;

/** What a process keeps after its garbage is gone, in MiB: its heap, and what it holds outside of it. */
export const keptMb = ({ heapUsed, external }) => (heapUsed + external) / mib;
