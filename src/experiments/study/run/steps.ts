import { EXPERIMENTS } from "../../registry.js";
import * as check from "./check-steps.js";
import { isColumns } from "./requests.js";
import type { Step, StepContext } from "./step.js";
import * as table from "./table-steps.js";

const STEPS: readonly Step[] = [
  { name: "calibration", title: "weights of S", needs: () => ["balanced"], run: table.calibration },
  { name: "gap", title: "agreement against defensibility", needs: () => ["balanced", "random"], run: table.gap },
  {
    name: "signal",
    title: "signals at four temperatures, held-out calibration",
    needs: ({ runs }) => ["balanced", "random", "spread", ...(runs.cohorts.expert === null ? [] : ["expert" as const])],
    run: table.signal,
  },
  { name: "gate", title: "fleet and gate", needs: () => ["fleet"], run: table.gate },
  { name: "tiers", title: "rule text", needs: () => ["tiers"], run: table.tiers },
  { name: "scopes", title: "whose rules leave it open", needs: () => ["scopes"], run: table.scopes },
  { name: "stability", title: "repeated audits", needs: () => [], run: check.stability },
  { name: "attack", title: "attacks", needs: () => ["attack_base"], run: check.attack },
  { name: "dual", title: "decisions and their opposites", needs: () => ["dual"], run: table.dual },
  { name: "humans", title: "people's ratings", refuses: notRated, needs: () => ["human"], run: check.humans },
  { name: "validate", title: "against the truth", refuses: notSimulated, needs: () => ["random"], run: check.validate },
  { name: "circularity", title: "circularity", needs: () => ["random"], run: check.circularity },
  {
    name: "tokens",
    title: "tokens against columns",
    refuses: notColumns,
    needs: () => check.TOKEN_PAIRS.flat(),
    run: check.tokens,
  },
];

/** All steps, in the order in which they are done: those above, then those that experiments of the registry bring. */
export async function allSteps(): Promise<readonly Step[]> {
  const more = await Promise.all(Object.values(EXPERIMENTS).flatMap(({ step }) => (step ? [step()] : [])));
  return [...STEPS, ...more];
}

async function notRated(context: StepContext) {
  if ((await check.ratingsOf(context)).length > 0) return null;
  return {
    reason: "no person has rated a decision",
    command: "defensible humans sample, then defensible humans import",
  };
}

function notSimulated({ simulation }: StepContext) {
  if (simulation) return null;
  return {
    reason: "requires a simulated workspace",
    command: "defensible validate, or defensible study --preset paper --out DIR",
  };
}

function notColumns({ runs }: StepContext) {
  if (isColumns(runs.request.auditor)) return null;
  return { reason: "compares two ways of the simulated auditor, which is not in use", command: null };
}
