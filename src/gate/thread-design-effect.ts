/** Sums over the threads of one cohort: sizes n_t and, of one kind of verdict, counts k_t. */
export interface ThreadSums {
  /** Number of threads; a row outside any thread is a thread of its own. */
  threads: number;
  /** Σ n_t. */
  n: number;
  /** Σ n_t². */
  squares: number;
  /** Σ k_t, Σ k_t², Σ k_t n_t. */
  k: number;
  kk: number;
  kn: number;
}

/** Taken where no cohort has both kinds of verdict in threads of several rows, so that nothing can be measured. */
export const ASSUMED_THREAD_CORRELATION = 0.2;

/**
 * How alike the verdicts of one thread are, over all cohorts together: 0 like independent rows, 1 all the same. One cohort alone has too few
 * threads to tell, and none at all to tell from when it has no level 3.
 *
 * Formula: with p_c = Σk/Σn of cohort c and G_c threads, ICC = Σ_c [G_c/(G_c−1) Σ_t (k_t − p_c n_t)² − p_c q_c Σn_t] / Σ_c p_c q_c Σ n_t(n_t−1)
 * Range: clamped to [0, 1].
 * Undefined when: no cohort with 0 < p < 1 has a thread of several rows: the assumed 0.2.
 * Differs from the paper: the paper takes rows as independent.
 * @see statistics of clustered proportions, Kish (1965), Survey Sampling, 5.4
 * @example threadCorrelation([{ threads: 2, n: 4, squares: 8, k: 2, kk: 4, kn: 4 }]) // => 1
 */
export function threadCorrelation(cohorts: readonly ThreadSums[]): number {
  let excess = 0;
  let possible = 0;
  for (const { threads, n, squares, k, kk, kn } of cohorts) {
    if (threads < 2 || k === 0 || k === n) continue;
    const p = k / n;
    const spread = (threads / (threads - 1)) * (kk - 2 * p * kn + p * p * squares);
    excess += spread - p * (1 - p) * n;
    possible += p * (1 - p) * (squares - n);
  }
  return possible > 0 ? Math.min(1, Math.max(0, excess / possible)) : ASSUMED_THREAD_CORRELATION;
}

/**
 * How much less the rows of a cohort tell because they come in threads: n rows are worth n divided by this.
 *
 * Formula: 1 + (Σn_t²/Σn_t − 1) ICC
 * Range: at least 1; 1 for rows that stand alone.
 * Undefined when: never; a cohort without rows has 1.
 * Differs from the paper: the paper takes rows as independent.
 * @see Kish (1965), Survey Sampling, 5.4
 * @example threadDesignEffect({ n: 100, squares: 500 }, 0.2) // => 1.8
 */
export function threadDesignEffect({ n, squares }: Pick<ThreadSums, "n" | "squares">, correlation: number): number {
  return n === 0 ? 1 : 1 + (squares / n - 1) * correlation;
}
