/** Differences below this part of 1, or of the largest value, are rounding. */
const DUST = 1e-12;

/**
 * Mean and standard deviation of values that come one at a time; NaN is passed over.
 *
 * Formula: Welford's recurrence: m += (x − m)/n, D += (x − m_before)(x − m_after); sd = √(D/(n−1)). Values that are all equal
 * have D = 0 exactly, whatever the rounding; so have values that only rounding tells apart (D ≤ n (10⁻¹² max(1, |x|))²), which would
 * else be ranked above those that are equal.
 * Range: sd from 0 on.
 * Undefined when: n = 0 (mean is null), n < 2 (sd is null).
 * Differs from the paper: nothing; the denominator is its K − 1.
 * @see paper §7.1, eq. 6; Welford (1962), Technometrics 4:419-420
 */
export class Spread {
  n = 0;
  #mean = 0;
  #squares = 0;
  /** What rounding is measured by: probabilities near 0 come from 1 − p. */
  #scale = 1;

  add(x: number): void {
    if (Number.isNaN(x)) return;
    this.n += 1;
    this.#scale = Math.max(this.#scale, Math.abs(x));
    const before = x - this.#mean;
    this.#mean += before / this.n;
    this.#squares += before * (x - this.#mean);
  }

  get mean(): number | null {
    return this.n === 0 ? null : this.#mean;
  }

  get sd(): number | null {
    const { variance } = this;
    return variance === null ? null : Math.sqrt(variance);
  }

  get variance(): number | null {
    if (this.n < 2) return null;
    return this.#squares <= this.n * (DUST * this.#scale) ** 2 ? 0 : this.#squares / (this.n - 1);
  }
}
