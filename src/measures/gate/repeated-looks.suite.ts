import { binomialCdf } from "../../stats/distributions/incomplete-beta.js";
import { createRng } from "../../stats/random/create-rng.js";
import { logOneSidedEValue } from "../../stats/tests/mixture-e-value.js";
import { DEFAULT_DELTA } from "./certified-gate.js";

export interface LooksInput {
  seed: number;
  /** Communities, each with the same true indefensible rate. */
  draws: number;
  rate: number;
  looks: number;
  /** Decisions between two looks. */
  every: number;
}

/** Share of communities at the limit that are certified at one of the looks, by fixed-n tests and by e-values. */
export function falseCertificates({ seed, draws, rate, looks, every }: LooksInput): { once: number; anytime: number } {
  const rng = createRng(seed);
  let once = 0;
  let anytime = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let k = 0;
    let byP = false;
    let byE = false;
    for (let n = 1; n <= looks * every; n += 1) {
      if (rng.next() < rate) k += 1;
      if (n % every !== 0) continue;
      byP ||= binomialCdf(k, n, 0.1) <= DEFAULT_DELTA;
      byE ||= logOneSidedEValue(k, n, 0.1) >= Math.log(1 / DEFAULT_DELTA);
    }
    if (byP) once += 1;
    if (byE) anytime += 1;
  }
  return { once: once / draws, anytime: anytime / draws };
}
