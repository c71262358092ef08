import { replicateAttack } from "./attack.js";
import type { Step, StepContext } from "./context.js";
import { replicateHumans } from "./humans.js";
import { isColumns } from "./requests.js";
import { dual, gate, scopes, tiers } from "./rules.js";
import { calibration, gap, signal } from "./signal.js";
import { replicateStability } from "./stability.js";
import { circularity, TOKEN_PAIRS, tokens, validate } from "./truth.js";

const notSimulated = async ({ simulation }: StepContext) =>
  simulation
    ? null
    : {
        reason: "the truth is known only in a simulated world, and this is none",
        command: "defensible validate, or defensible replicate --preset paper --out DIR",
      };

/** All steps, in the order in which they are done. */
export const STEPS: readonly Step[] = [
  { name: "calibration", title: "weights of S", needs: () => ["balanced"], run: calibration },
  { name: "gap", title: "agreement against defensibility", needs: () => ["balanced", "random"], run: gap },
  {
    name: "signal",
    title: "signals at four temperatures, held-out calibration",
    needs: ({ runs }) => ["balanced", "random", "spread", ...(runs.cohorts.expert === null ? [] : ["expert" as const])],
    run: signal,
  },
  { name: "gate", title: "fleet and gate", needs: () => ["fleet"], run: gate },
  { name: "tiers", title: "rule text", needs: () => ["tiers"], run: tiers },
  { name: "scopes", title: "whose rules leave it open", needs: () => ["scopes"], run: scopes },
  { name: "stability", title: "repeated audits", needs: () => [], run: replicateStability },
  { name: "attack", title: "attacks", needs: () => ["attack_base"], run: replicateAttack },
  { name: "dual", title: "decisions and their opposites", needs: () => ["dual"], run: dual },
  {
    name: "humans",
    title: "people's ratings",
    ...replicateHumans,
  },
  {
    name: "validate",
    title: "against the truth",
    refuses: notSimulated,
    needs: () => ["random"],
    run: validate,
  },
  { name: "circularity", title: "circularity", needs: () => ["random"], run: circularity },
  {
    name: "tokens",
    title: "tokens against columns",
    refuses: async ({ runs }) =>
      isColumns(runs.auditor)
        ? null
        : { reason: "compares two ways of the simulated auditor, which is not in use", command: null },
    needs: () => TOKEN_PAIRS.flat(),
    run: tokens,
  },
];
