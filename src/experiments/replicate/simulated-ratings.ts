import type { Label } from "../../core/records/label.js";
import type { Truth } from "../../core/records/truth.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";

/** How simulated raters err. */
export interface RaterSettings {
  raters: number;
  /** Share of cases that all raters alike take for another level: what people share cannot be averaged away. */
  case_error: number;
  /** Share of ratings that miss the level that raters see in the case. */
  rater_error: number;
  seed: number;
}

/** As many as in the paper. The errors are assumed: the paper prints neither its ratings nor their reliability. */
export const RATERS: Omit<RaterSettings, "seed"> = { raters: 121, case_error: 0.15, rater_error: 0.35 };

/**
 * Ratings of simulated people, drawn from the truth: a case is seen at its true level, or, with `case_error`, by everybody at another one; each rater gives
 * what is seen, or, with `rater_error`, one of the other levels. Whether the opposite can be derived goes with the level seen or given in the same way.
 */
export function simulatedRatings(
  truths: readonly Pick<Truth, "decision_id" | "level" | "inverse">[],
  settings: RaterSettings,
): Label[] {
  const { raters, case_error, rater_error, seed } = settings;
  const rng = createRng(seed).fork("simulated raters");
  return truths.flatMap((truth) => {
    const own = rng.fork(truth.decision_id);
    const seen = own.next() < case_error ? another(truth.level, own) : truth.level;
    return Array.from({ length: raters }, (_, i): Label => {
      const missed = own.next() < rater_error;
      return {
        decision_id: truth.decision_id,
        level: missed ? another(seen, own) : seen,
        inverse: missed ? own.next() < 0.5 : truth.inverse,
        rater: `simulated-${String(i + 1).padStart(3, "0")}`,
        source: "human",
        simulated: true,
      };
    });
  });
}

type Level = Truth["level"];

/** One of the two other levels. */
function another(level: Level, rng: Rng): Level {
  return (((level + rng.int(2)) % 3) + 1) as Level;
}
