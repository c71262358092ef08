import { identicalReplicates } from "../../../measures/stability/allocate.js";
import { LEAST_REPLICATES } from "../../../measures/stability/level-sequence.js";
import { plural, whole } from "../../../present/words/numbers.js";
import type { PlanSettings, StabilityPlan } from "../stability-plan.js";

/** What will be asked at most, without a full stop: the pilot decides which cases, and the verdicts when a case is settled. */
export function planWords(
  { most, mostCases, arms }: Pick<StabilityPlan, "most" | "mostCases" | "arms">,
  { pilot, mode, replicates, temperatures, budget }: PlanSettings,
  candidates: number,
): string {
  const first =
    pilot > 0
      ? `${plural(pilot, "pilot audit")} of each of ${plural(candidates, "candidate")} (${whole(most.pilot)}), then `
      : "";
  const conditions = arms.length - (pilot > 0 ? 1 : 0);
  const templates = conditions > temperatures.length ? `, ${conditions / temperatures.length} templates` : "";
  const each = mode === "fixed" ? whole(replicates) : `up to ${whole(replicates)}`;
  const limit = budget === null ? "" : `--budget ${whole(budget)}: `;
  const cases = `${mostCases === candidates && pilot === 0 ? "" : "up to "}${plural(mostCases, "case")}`;
  return `${first}${each} audits of each of ${cases} at ${plural(temperatures.length, "temperature")}${templates} (${limit}at most ${whole(most.measured)}): at most ${whole(most.pilot + most.measured)} audits planned`;
}

/** What to know of the plan before paying for it, each in a sentence. */
export function planNotes({ mode, replicates, stop, alpha, cases, pilot }: PlanSettings): string[] {
  const odd =
    pilot > 0 && cases !== null && cases % 2 === 1
      ? [
          `--cases ${cases} is odd: half are to be Flippers and half Stable, so at most ${Math.floor(cases / 2)} of each are measured`,
        ]
      : [];
  if (mode === "fixed") {
    const few = `--replicates ${replicates} is fewer than the ${LEAST_REPLICATES} verdicts that a class or a boundary state needs: no case will have one`;
    return replicates < LEAST_REPLICATES ? [...odd, few] : odd;
  }
  const needed = identicalReplicates(alpha, stop);
  const what = stop === "class" ? "boundary state and class" : "boundary state";
  return [
    ...odd,
    `at α = ${alpha} a case that gives the same level every time has its ${what} settled after ${needed} audits${replicates < needed ? `, and --replicates ${replicates} is fewer: no stable case can be settled` : ""}`,
  ];
}
