import type { Figure } from "../../core/figure.js";
import type { ExperimentResults } from "../../core/results/experiment.js";
import { verdictCounts } from "../../present/words/experiments/estimate-cells.js";
import { auditorNotes } from "../audits.js";
import type { GapColumn, GapExperiment } from "../gap/result.js";
import type { LevelRow, RegimeRow, SigmaRow, SignalExperiment } from "../signal/result.js";
import type { HeldOutRow, PaperCalibration } from "./calibration-table.js";
import { compareWith, PAPER, type ReferenceStudy, studyValues, withOurs } from "./compare.js";
import { type CohortNames, type CohortRole, datasetTable, type RaterSettings } from "./datasets.js";
import { findingsOf } from "./findings.js";
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
  /** What the numbers are compared with; null: nothing. Default: the paper. */
  reference?: ReferenceStudy | null;
  /** Numbers next to those of the paper. */
  numbers?: readonly StudyNumber[];
  /** Null: the raters are people, or nothing is there. */
  raters: (RaterSettings & { cases: number }) | null;
  /** What steps had to say. */
  warnings: readonly string[];
}

/**
 * What was left out this time, as an earlier replication with the same auditor on the same data found it: steps can be done one by one, and a part does
 * not take the place of the whole.
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

/** Everything that was found, next to the numbers of the reference. */
export function buildReplicate(inputs: ReplicateInputs): Replicate {
  const { auditor, simulation, seed, cohorts, results, expert, raters } = inputs;
  const steps = [...inputs.steps];
  const paperRates = simulation?.preset === "paper";
  const paperSizes = paperRates && simulation.decisions >= PAPER_DECISIONS;
  const reference = inputs.reference === undefined ? PAPER : inputs.reference;
  const numbers = [...PAPER_VALUES, ...(inputs.numbers ?? [])];
  const compared = reference ? compareWith(reference, numbers, results, { paperRates, paperSizes, steps }) : [];
  const runs = [...new Set(steps.flatMap((one) => one.runs))].sort();
  const raterKind = raters ? "simulated" : results.humans ? "people" : null;
  return {
    format: 1,
    experiment: "replicate",
    runs,
    random: { seed },
    auditor,
    simulation: simulation && { ...simulation, paper_rates: paperRates },
    audits: steps.reduce((sum, one) => sum + one.audits, 0),
    cost_usd: steps.reduce((sum, one) => sum + one.cost_usd, 0),
    steps,
    datasets: datasetTable(results, cohorts, { expert, raters: raterKind }),
    values: studyValues(numbers, results, steps),
    reference: reference && { name: reference.name, auditor: reference.auditor },
    compared,
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
/** Shares first: they are what a still picture shows. */
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

/** What the step `signal` found. */
export interface SignalResults {
  experiment: SignalExperiment;
  levels: { temperature: number; levels: LevelRow[] }[];
  /** The expert-labelled cohort; null: nothing is there. */
  expert: SigmaRow | null;
  /** In the contested cohort, S by the weights fitted there. */
  regimes: RegimeRow[];
  /** Sd over replicates in a sample of it. */
  spread: RegimeRow[];
  heldOut: HeldOutRow[];
  /** Why nothing is there. */
  heldOutReason: string | null;
}

/** What every step found, by its name; a step that was not done is missing. */
export interface StepResults extends Partial<Omit<ExperimentResults, "gap" | "signal">> {
  calibration?: PaperCalibration;
  gap?: { experiment: GapExperiment; random: GapColumn; balanced: GapColumn };
  signal?: SignalResults;
  gate?: GateTable;
  tokens?: TokenAgreement;
}
