import type { Estimate } from "../../../core/estimate.js";
import { BOUNDARY_STATES, STABILITY_CLASSES } from "../../../core/names.js";
import { identicalReplicates } from "../../../measures/stability/allocate.js";
import { LEAST_REPLICATES } from "../../../measures/stability/level-sequence.js";
import { type Block, table } from "../../../present/document/document.js";
import { RATIO_READINGS } from "../../../present/words/experiments/experiment-words.js";
import { decimal, plural, pointsInterval, pText, whole } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import type { Stability, StabilityTemperature } from "../result.js";
import type { PlanSettings, StabilityPlan } from "../stability-plan.js";
import { shareText, temperatureText, valueText, words } from "./headline-blocks.js";

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

/** What somebody should know of the plan before paying for it, each in a sentence. */
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

/** The paper's temperature table, with intervals, and what may be read off it. */
export function temperatureBlocks(result: Stability): Block[] {
  const { temperatures } = result;
  if (temperatures.length === 0) return [];
  const columns = temperatures.map(({ temperature }) => `>${temperatureText(temperature)}`);
  const row = (label: string, cell: (one: StabilityTemperature) => string) => [label, ...temperatures.map(cell)];
  const means = (score: "sd_pds" | "sd_p_defensible", name: string) => [
    row(`mean sd of ${name}, all`, (one) => valueText(one[score].all)),
    row(`mean sd of ${name}, Stable`, (one) => valueText(one[score].stable)),
    row(`mean sd of ${name}, Flippers`, (one) => valueText(one[score].flippers)),
    row("ratio Flippers / Stable", (one) => valueText(one[score].ratio, 2)),
  ];
  return [
    {
      kind: "heading",
      text: result.sources.length > 1 ? `By temperature, ${printable(result.sources[0]!.name, 60)}` : "By temperature",
    },
    table(
      // Whole labels: cut to the column, those of three groups would read alike.
      ["~", ...columns],
      [
        ...means("sd_pds", "S"),
        ...means("sd_p_defensible", "P(defensible)"),
        row("boundary flip rate, Flippers", (one) => shareText(one.boundary_flip_rate.flippers)),
        row("boundary flip rate, Stable", (one) => shareText(one.boundary_flip_rate.stable)),
        row("H[κ], rank correlation with the first", (one) => valueText(one.h_citation_rank_correlation)),
        row("DI", (one) => shareText(one.defensibility_index, 1)),
        row(
          "replicates, mean (least–most)",
          ({ replicates: { least, mean, most } }) => `${decimal(mean, 0)} (${whole(least)}–${whole(most)})`,
        ),
      ],
    ),
    {
      kind: "text",
      text: `In brackets 95 % intervals over cases: cases drawn with replacement within their group (seed ${result.random!.seed}, ${whole(Number(result.random!.draws))} draws); of flip rates, Wilson's.${undefinedNote(temperatures)}`,
    },
    ...(temperatures.length > 1 ? [readings(result)] : []),
    table(
      ["", ...columns],
      [
        ...BOUNDARY_STATES.map((state) => row(words(state), (one) => whole(one.boundaries[state] ?? 0))),
        ...undeterminedRow("undetermined (boundary)", temperatures, (one) => one.boundaries.undetermined ?? 0),
        ...STABILITY_CLASSES.map((name) => row(words(name), (one) => whole(one.classes[name] ?? 0))),
        ...undeterminedRow("undetermined (class)", temperatures, (one) => one.classes.undetermined ?? 0),
      ],
    ),
  ];
}

function undeterminedRow(
  label: string,
  temperatures: readonly StabilityTemperature[],
  count: (one: StabilityTemperature) => number,
): string[][] {
  return temperatures.some((one) => count(one) > 0) ? [[label, ...temperatures.map((one) => whole(count(one)))]] : [];
}

/** Why numbers of the first column are missing, each reason once. */
function undefinedNote([first]: readonly StabilityTemperature[]): string {
  const { sd_pds, sd_p_defensible, boundary_flip_rate: rate, h_citation_rank_correlation } = first!;
  const estimates: [string, Estimate][] = [
    ["sd of S", sd_pds.all],
    ["Flippers and Stable", sd_pds.ratio],
    ["Flippers and Stable", sd_p_defensible.ratio],
    ["boundary flip rate", rate.all],
    ["H[κ]", h_citation_rank_correlation],
  ];
  const reasons = new Set(
    estimates.flatMap(([name, estimate]) => (estimate.estimate === null ? [`${name}: ${estimate.reason}`] : [])),
  );
  return reasons.size === 0 ? "" : ` Undefined (–): ${[...reasons].join("; ")}.`;
}

function readings({ ratio_slope, defensibility_slope, temperatures, h_citation_split_half }: Stability): Block {
  const ratio = (score: "pds" | "p_defensible", name: string) => {
    const { estimate, reading, p_value } = ratio_slope[score];
    return estimate.estimate === null
      ? `Ratio for ${name}: slope undefined, ${estimate.reason}.`
      : `Ratio for ${name}: slope ${valueText(estimate, 2)} per unit of temperature, ${pText(p_value)}; ${RATIO_READINGS[reading]}.`;
  };
  const di = defensibility_slope.estimate;
  const last = temperatures.at(-1)!;
  const change = last.defensibility_index_change;
  const moves =
    di.estimate === null
      ? ""
      : ` DI: ${change.estimate === null ? "" : `${pointsInterval(change)} pp from the lowest to the highest temperature, case by case; `}slope ${pText(defensibility_slope.p_value)}${di.lower > 0 || di.upper < 0 ? ": it is not temperature-invariant" : ": no movement is shown, which is not the same as none"}.`;
  const ceiling =
    h_citation_split_half === null
      ? ""
      : ` H[κ]: two halves of the replicates at the lowest temperature correlate at ${decimal(h_citation_split_half, 3)}, the most that another temperature can be expected to reach.`;
  return { kind: "text", text: `${ratio("pds", "S")} ${ratio("p_defensible", "P(defensible)")}${moves}${ceiling}` };
}
