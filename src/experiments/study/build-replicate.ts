import type { Estimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { ExperimentResults } from "../../core/results/experiment.js";
import { comparedCounts, verdictCounts } from "../../present/words/experiment-words.js";
import { decimal, percent, signed, whole, wideInterval } from "../../present/words/numbers.js";
import { auditorNotes } from "../audits.js";
import type { Circularity } from "../circularity/result.js";
import type { Dual } from "../dual/result.js";
import type { GapColumn, GapExperiment } from "../gap/result.js";
import type { Scopes } from "../rules/scopes/result.js";
import type { LevelRow, RegimeRow, SigmaRow, SignalExperiment } from "../signal/result.js";
import type { Stability } from "../stability/result.js";
import type { Validate } from "../validate/result.js";
import type { HeldOutRow, PaperCalibration } from "./calibration-table.js";
import { compareWith, PAPER, type ReferenceStudy, studyValues, withOurs } from "./compare.js";
import { type CohortNames, type CohortRole, datasetTable, type RaterSettings } from "./datasets.js";
import type { GateTable } from "./gate-table.js";
import type { Compared, Replicate, StepRecord, TokenAgreement } from "./result.js";
import { PAPER_VALUES, type StudyNumber } from "./values.js";

export interface ReplicateInputs {
  auditor: string;
  simulation: { preset: string; seed: number; decisions: number } | null;
  seed: number;
  cohorts: CohortNames;
  steps: readonly StepRecord[];
  results: StepResults;
  expert: { decisions: number; valid: number; communities: number } | null;
  /** The study to compare with; null: none. Default: the paper. */
  reference?: ReferenceStudy | null;
  /** Numbers in addition to the paper's. */
  numbers?: readonly StudyNumber[];
  /** null: the raters are people, or there are no ratings. */
  raters: (RaterSettings & { cases: number }) | null;
  /** Warnings of the steps. */
  warnings: readonly string[];
}

/**
 * Takes over the steps that were left out from an earlier replication with the same auditor on the same data: steps can be run one by one,
 * and a part must not replace the whole.
 */
export function takeOver(result: Replicate, earlier: Replicate | null): Replicate {
  const same =
    earlier?.auditor === result.auditor && JSON.stringify(earlier.simulation) === JSON.stringify(result.simulation);
  if (!earlier || !same) return result;
  const before = new Map(earlier.steps.map((one) => [one.step, one]));
  const steps = result.steps.map((one): StepRecord => {
    const known = before.get(one.step);
    const isKept = one.status === "left_out" && (known?.status === "done" || known?.status === "kept");
    return isKept ? { ...known, status: "kept" } : one;
  });
  const kept = new Set(steps.flatMap(({ step, status }) => (status === "kept" ? [step] : [])));
  if (kept.size === 0) return result;
  const values = new Map(earlier.values?.map((one) => [one.id, one]));
  const rows = new Map(earlier.compared.map((one) => [one.id, one]));
  const compared = result.compared.map((one) => {
    if (!kept.has(one.step)) return one;
    if (sameReference(earlier, result)) return rows.get(one.id) ?? one;
    const known = values.get(one.id);
    return known ? withOurs({ ...one, command: null }, known, one.unit !== "count") : one;
  });
  const datasets = result.datasets.map((one) => {
    const known = earlier.datasets.find(({ dataset }) => dataset === one.dataset);
    return one.decisions === null && known ? known : one;
  });
  const findings = [...result.findings, ...earlier.findings.filter(({ step }) => kept.has(step))];
  return {
    ...result,
    runs: [...new Set(steps.flatMap((one) => one.runs))].sort(),
    audits: steps.reduce((sum, one) => sum + one.audits, 0),
    cost_usd: steps.reduce((sum, one) => sum + one.cost_usd, 0),
    steps,
    compared,
    ...(result.counts && { counts: comparedCounts({ simulation: result.simulation, compared }) }),
    datasets,
    ...(result.values && {
      values: result.values.map((one) => (kept.has(one.step) ? (values.get(one.id) ?? one) : one)),
    }),
    findings: steps.flatMap(({ step }) => findings.filter((one) => one.step === step)),
    tokens: kept.has("tokens") ? earlier.tokens : result.tokens,
    raters: kept.has("humans") ? earlier.raters : result.raters,
    figures: [
      ...comparedFigures(compared, result.reference ?? null),
      ...(kept.has("gate") ? earlier : result).figures.filter(({ id }) => id !== COMPARED_FIGURE),
    ],
  };
}

const sameReference = (a: Replicate, b: Replicate) =>
  (a.reference === undefined ? PAPER.name : a.reference?.name) === b.reference?.name;

/** Decisions of the paper's cohorts with a valid audit. A smaller world is a quick one. */
const PAPER_DECISIONS = 193_273;

/** All results, compared with the numbers of the reference. */
export function buildReplicate(inputs: ReplicateInputs): Replicate {
  const { auditor, simulation, seed, cohorts, results, expert, raters } = inputs;
  const steps = [...inputs.steps];
  const paperRates = simulation?.preset === "paper";
  const paperSizes = paperRates && simulation.decisions >= PAPER_DECISIONS;
  const reference = inputs.reference === undefined ? PAPER : inputs.reference;
  const numbers = [...PAPER_VALUES, ...(inputs.numbers ?? [])];
  const compared = reference ? compareWith(reference, numbers, results, { paperRates, paperSizes, steps }) : [];
  const world = simulation && { ...simulation, paper_rates: paperRates };
  const runs = [...new Set(steps.flatMap((one) => one.runs))].sort();
  const raterKind = raters ? "simulated" : results.humans ? "people" : null;
  return {
    format: 1,
    experiment: "replicate",
    runs,
    random: { seed },
    auditor,
    simulation: world,
    audits: steps.reduce((sum, one) => sum + one.audits, 0),
    cost_usd: steps.reduce((sum, one) => sum + one.cost_usd, 0),
    steps,
    datasets: datasetTable(results, cohorts, { expert, raters: raterKind }),
    values: studyValues(numbers, results, steps),
    reference: reference && { name: reference.name, auditor: reference.auditor },
    compared,
    ...(reference && { counts: comparedCounts({ simulation: world, compared }) }),
    findings: findingsOf(results),
    tokens: results.tokens ?? null,
    raters: raters && { ...raters },
    figures: [...comparedFigures(compared, reference), ...(results.gate?.figures ?? [])],
    warnings: [...auditorNotes([auditor]), ...cohortNotes(cohorts), ...raterNotes(raters), ...inputs.warnings],
  };
}

const NAMED: readonly CohortRole[] = ["random", "balanced", "tiers", "fleet", "stability", "attack"];

function cohortNotes(cohorts: CohortNames): string[] {
  const missing = NAMED.filter((role) => cohorts[role] === null);
  if (missing.length === 0) return [];
  const all = missing.length === NAMED.length;
  return [
    all
      ? "no cohort of the paper's names is there: all decisions are used for each of them, and what is called held out is not"
      : `all decisions are used for ${missing.join(", ")}: no cohort was named for ${missing.length === 1 ? "it" : "them"}`,
  ];
}

function raterNotes(raters: ReplicateInputs["raters"]): string[] {
  if (!raters) return [];
  const percent = (share: number) => `${Math.round(100 * share)}%`;
  return [
    `no person rated: ${raters.raters} raters of ${raters.cases} cases are simulated from the truth (all of them misread ${percent(raters.case_error)} of the cases alike, and each of them ${percent(raters.rater_error)} of the rest), which shows that the instrument works and nothing about people`,
  ];
}

const COMPARED_FIGURE = "replicate-compared";
/** Shares come first: a static picture shows them. */
const UNITS = ["share", "points", "number"] as const;

function comparedFigures(compared: readonly Compared[], reference: { name: string } | null): Figure[] {
  return reference ? [comparedFigure(compared, reference.name === PAPER.name)] : [];
}

function comparedFigure(compared: readonly Compared[], isPaper: boolean): Figure {
  const shown = compared.filter(({ unit, ours }) => unit !== "count" && ours.value !== null);
  const judged = shown.filter(({ verdict }) => verdict);
  const { same } = verdictCounts(judged);
  return {
    id: COMPARED_FIGURE,
    title: `${same} of ${judged.length} ${isPaper ? "printed numbers" : "numbers of the reference"} are the same here, within a margin`,
    mark: "point",
    x: { field: "paper", label: isPaper ? "the paper's number" : "the reference's number" },
    y: { field: "ours", label: "ours" },
    series: "verdict",
    series_order: ["same", "undecided", "different", "no interval"],
    choose: ["unit"],
    title_of_all: true,
    name: "what",
    references: [{ axis: "diagonal", value: 0, label: "the same" }],
    caption: "Shares, and differences of shares (points), are fractions here; the title counts numbers of every unit.",
    ...(isPaper && { paper: "tables" }),
    rows: UNITS.flatMap((unit) => shown.filter((one) => one.unit === unit)).map(
      ({ id, place, what, unit, role, paper, ours, verdict }) => ({
        id,
        place,
        what,
        unit,
        role,
        paper,
        ours: ours.value,
        lower: ours.lower,
        upper: ours.upper,
        verdict: verdict ?? "no interval",
      }),
    ),
  };
}

interface SignalResults {
  experiment: SignalExperiment;
  levels: { temperature: number; levels: LevelRow[] }[];
  /** The expert-labelled cohort; null: there is no such cohort. */
  expert: SigmaRow | null;
  /** In the contested cohort, with S by the weights fitted there. */
  regimes: RegimeRow[];
  /** Sd over replicates in a sample of the contested cohort. */
  spread: RegimeRow[];
  heldOut: HeldOutRow[];
  /** Why there are no held-out rows. */
  heldOutReason: string | null;
}

/** The results of every step by its name; steps that were not run are missing. */
export interface StepResults extends Partial<Omit<ExperimentResults, "gap" | "signal">> {
  calibration?: PaperCalibration;
  gap?: { experiment: GapExperiment; random: GapColumn; balanced: GapColumn };
  signal?: SignalResults;
  gate?: GateTable;
  tokens?: TokenAgreement;
}

type Finding = Replicate["findings"][number];

/** Findings of steps that have no table in the paper. */
function findingsOf({ stability, scopes, dual, validate, circularity }: StepResults): Finding[] {
  return [
    ...(stability ? [{ step: "stability" as const, text: stabilityText(stability) }] : []),
    ...(scopes ? [{ step: "scopes" as const, text: scopesText(scopes) }] : []),
    ...(dual ? [{ step: "dual" as const, text: dualText(dual) }] : []),
    ...(validate ? [{ step: "validate" as const, text: validateText(validate) }] : []),
    ...(circularity ? [{ step: "circularity" as const, text: circularityText(circularity) }] : []),
  ];
}

/** "12.3% (11.0–13.6)", or why it is undefined. */
function rate(estimate: Estimate): string {
  const bounds = wideInterval(estimate);
  if (estimate.estimate === null || !bounds) return `undefined (${estimate.estimate === null ? estimate.reason : ""})`;
  const shown = (value: number) => (100 * value).toFixed(1);
  return `${shown(estimate.estimate)}% (${shown(bounds.lower)}–${shown(bounds.upper)})`;
}

const READINGS: Record<Stability["ratio_slope"]["pds"]["reading"], string> = {
  flat: "is flat over temperatures",
  falls: "falls towards 1 as temperature rises, as mere sampling noise would have it",
  rises: "rises with temperature",
  undecided: "may be flat or not: these cases cannot tell",
  undefined: "is undefined at too many temperatures to show a trend",
};

function stabilityText({ ratio_slope, correlations, sequential }: Stability): string {
  const coupled = correlations.spread.find(({ x, y }) => x === "dominant_share" && y === "sd_pds");
  const disjoint = coupled?.disjoint.estimate ?? null;
  const saved = sequential.labels?.at_best.saved_against_paper ?? null;
  const [ofS, ofP] = [ratio_slope.pds, ratio_slope.p_defensible].map(({ reading }) => READINGS[reading]);
  const parts = [
    `The ratio of spreads, Flippers over Stable, ${ofS}${ofS === ofP ? ", for S and for 1 − p(L3)" : ` for S; for 1 − p(L3) it ${ofP}`}.`,
    disjoint === null || coupled?.coupled.estimate == null
      ? ""
      : `Spread and consistency correlate at ${decimal(coupled.coupled.estimate)} on the same draws and at ${decimal(disjoint)} on disjoint ones.`,
    saved === null
      ? ""
      : `Stopping where a case is settled would have saved ${Math.round(100 * saved)}% of 1,000 replicates a case.`,
  ];
  return parts.filter(Boolean).join(" ");
}

function scopesText({ ambiguity, counts }: Scopes): string {
  const { both, classes } = ambiguity;
  return `Audited under the platform's rules alone, the community's alone and both (${whole(counts.paired)} decisions): ambiguity is ${rate(both)} under both; ${rate(classes.platform)} are open under the platform's rules alone, ${rate(classes.community)} under the community's alone, ${rate(classes.either)} under either, ${rate(classes.together)} only where the two meet.`;
}

function dualText({ all }: Dual): string {
  const { ambiguous, determinate, model_error, inverse_check } = all;
  return `Decision and opposite audited apart (${whole(all.n)} decisions): both defensible ${rate(ambiguous)}, only the decision ${rate(determinate)}, only the opposite ${rate(model_error)}, neither ${rate(all.void)}. The inverse check finds ${rate(inverse_check.sensitivity)} of the opposites that are defensible when audited, and denies ${rate(inverse_check.specificity)} of the others.`;
}

function validateText({ run, worlds }: Validate): string {
  const parts: string[] = [];
  for (const [quantity, name] of [
    ["defensibility_index", "DI"],
    ["ambiguity_index", "Ambiguity"],
  ] as const) {
    const one = run?.quantities.find((row) => row.quantity === quantity);
    if (one?.truth == null || one.error === null) continue;
    parts.push(`${name} is ${percent(one.truth)} in truth and measured ${signed(100 * one.error, 1)} points off it.`);
  }
  for (const { name, estimators } of worlds?.conditions ?? []) {
    const index = estimators.find(({ quantity }) => quantity === "defensibility_index");
    if (!index || index.error.estimate === null) continue;
    const points = 100 * index.error.estimate;
    parts.push(
      `Over ${worlds!.count} worlds, ${name}: DI is ${Math.abs(points).toFixed(1)} points too ${points < 0 ? "low" : "high"} on average.`,
    );
  }
  return parts.join(" ");
}

/** Singular and plural. */
const VERDICTS = {
  supports: ["says the rules", "say the rules"],
  does_not_support: ["does not say the rules", "do not say the rules"],
  cannot_tell: ["cannot tell", "cannot tell"],
  not_available: ["is not available", "are not available"],
} as const;

function circularityText({ channels }: Circularity): string {
  const parts = Object.entries(VERDICTS).flatMap(([verdict, [one, several]]) => {
    const names = channels.filter((each) => each.verdict === verdict).map(({ title }) => `"${title.split(":")[0]!}"`);
    return names.length === 0 ? [] : [`${names.join(" and ")} ${names.length === 1 ? one : several}`];
  });
  return `Do the indices measure the rules, or the auditor's taste? Of the channels, ${parts.join("; ")}.`;
}
