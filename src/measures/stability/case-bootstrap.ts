import type { StabilityGroup } from "../../core/results/stability-names.js";
import {
  type BootstrapStatistic,
  type StratifiedBootstrapOptions,
  stratifiedBootstrap,
} from "../../stats/resampling/stratified-bootstrap.js";

/** A number of the cases, weighted as a bootstrap draws them; null where it is undefined. */
export type Statistic = (weights: Float64Array) => number | null;

/** What a statistic came to, once all have been asked for. */
export type Answer = () => BootstrapStatistic;

/** Collects statistics, so that one bootstrap over cases serves them all with the same draws. */
export class CaseBootstrap {
  readonly #statistics: Statistic[] = [];
  #answers: BootstrapStatistic[] | null = null;

  /** The answer can be read after `run`. */
  ask(statistic: Statistic): Answer {
    const place = this.#statistics.push(statistic) - 1;
    return () => this.#answers![place]!;
  }

  /** Cases are drawn within their group: its size was chosen, and does not vary. */
  run(groups: readonly (StabilityGroup | null)[], options: StratifiedBootstrapOptions): void {
    const strata = Int32Array.from(groups, (group) => (group === null ? 0 : group === "flipper" ? 1 : 2));
    const evaluate = (weights: Float64Array) => this.#statistics.map((statistic) => statistic(weights));
    this.#answers = stratifiedBootstrap(strata, evaluate, options);
  }
}
