/**
 * Mean and standard deviation of values that come one at a time; NaN is passed over.
 *
 * Formula: Welford's recurrence: m += (x − m)/n, D += (x − m_before)(x − m_after); sd = √(D/(n−1)). Values that are all equal
 * have D = 0 exactly, whatever the rounding.
 * Range: sd from 0 on.
 * Undefined when: n = 0 (mean is null), n < 2 (sd is null).
 * Differs from the paper: nothing; the denominator is its K − 1.
 * @see paper §7.1, eq. 6; Welford (1962), Technometrics 4:419-420
 */
export class Spread {
  n = 0;
  #mean = 0;
  #squares = 0;

  add(x: number): void {
    if (Number.isNaN(x)) return;
    this.n += 1;
    const before = x - this.#mean;
    this.#mean += before / this.n;
    this.#squares += before * (x - this.#mean);
  }

  get mean(): number | null {
    return this.n === 0 ? null : this.#mean;
  }

  get sd(): number | null {
    return this.n < 2 ? null : Math.sqrt(this.#squares / (this.n - 1));
  }

  get variance(): number | null {
    return this.n < 2 ? null : this.#squares / (this.n - 1);
  }
}
