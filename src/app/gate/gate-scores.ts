import type { AuditTable } from "../../analysis/audit-table.js";
import { absentFields, loadDecisionFields } from "../../analysis/decision-scores.js";
import { countGateCohorts, countSlices, type SliceCount } from "../../analysis/gate/counts.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import type { GateKey, Selective } from "../../core/gate.js";
import type { LabelSample } from "../../core/records/label.js";
import { groupBy } from "../../core/text-checks.js";
import { failsCheck } from "../../measures/calibration/candidate-result.js";
import { type ScoreFrontier, scoreFrontier } from "../../measures/gate/frontier.js";
import type { GateSettings, SelectionReport } from "../../measures/gate/gate-report.js";
import {
  areaUnderRiskCoverage,
  coverageAtRisk,
  REPORTED_RISKS,
  riskCoverageCurve,
} from "../../measures/gate/selective/aurc.js";
import {
  chooseThresholds,
  selectiveRecord,
  type ThresholdSet,
} from "../../measures/gate/selective/choose-thresholds.js";
import { groupScores } from "../../measures/gate/selective/score-groups.js";
import {
  type SliceCell,
  type SliceCounts,
  type SliceReport,
  type SliceTotals,
  sliceReport,
} from "../../measures/gate/slices.js";
import type { DecisionFiles } from "../../store/ports.js";
import { type GateNote, type GateWords, refuse } from "../notices.js";
import {
  automatedBy,
  calibratedRows,
  certifyingRows,
  type Open,
  openCohorts,
  rawRows,
  toldApart,
  withheldFrom,
} from "./gate-runs.js";
import type { ChosenCommunities } from "./gate-settings.js";

interface ScoreInputs {
  settings: GateSettings;
  words: Pick<GateWords, "note">;
  passes: ReadonlySet<string>;
  /** Null: no calibration fits, so the raw 1 − p(L3) is used. */
  calibration: StoredCalibration | null;
  /** What the table `targets` holds; null: it is empty, and the auditor's own level is used. */
  target: CalibrationTarget | null;
  /** Labels of the verdicts; null: no verdict has one. */
  labels: LabelSample | null;
  /** Cohorts chosen on one part of the decisions; thresholds are certified on the other. */
  chosen: ChosenCommunities;
  /** Some decisions belong to threads. */
  threads: boolean;
  /** The run the gate is computed from. */
  runId: string | null;
}

interface GateScores {
  selective: Selective;
  selection: SelectionReport;
  score_frontier: ScoreFrontier;
}

/** Automation by score within the communities that pass, and the paper's frontier over S. */
export async function buildGateScores(table: AuditTable, inputs: ScoreInputs): Promise<GateScores> {
  const { settings, calibration, chosen, threads } = inputs;
  const { risk, delta, by, thread_cap: threadCap } = settings;
  const { heldOut } = chosen;
  const rows = calibration
    ? await calibratedRows(table, heldOut, calibration, inputs.target, threads)
    : await rawRows(table, heldOut, threads);
  const parted = toldApart(by, table.actions);
  const passing = openCohorts(rows, table.actions, by, inputs.passes);
  const open = parted ? openCohorts(rows, table.actions, by, chosen.keys) : passing;
  const withheld = withheldFrom(rows, passing, open);
  const certifying = certifyingRows(rows, open, parted);
  const choice = chooseThresholds(certifying, { risk, delta, withheld, chosenApart: parted, threadCap });
  const { thread } = certifying;
  const groups = groupScores(
    certifying.score,
    certifying.indefensible,
    certifying.weight,
    thread && { of: thread, cap: threadCap },
  );
  const score = calibration ? "p_calibrated" : "p_defensible";
  const record = selectiveRecord(choice, score, calibration?.calibration_id ?? null);
  const target = calibration ? inputs.target : null;
  const labels = {
    kind: target?.kind ?? ("self" as const),
    source: target?.source ?? null,
    n: certifying.score.length,
    circular: !target || target.kind === "self",
  };
  if (inputs.passes.size === 0) record.reason = "no community passes";
  else if (parted && chosen.keys.size === 0) record.reason = "no community passes on the part that chooses";
  const { rows: rows_in_all, ...counts } = automatedBy(choice, rows, passing);
  const { share, seed, by_thread, min_decisions, keys } = chosen;
  const used = ({ pooled, by_community, withheld }: ThresholdSet): ThresholdSet => ({
    pooled,
    by_community: ofPassing(by_community, rows.communities, passing),
    withheld,
  });
  return {
    selective: {
      ...record,
      calibration_hash: calibration?.content_hash ?? null,
      labels,
      counts: { ...counts, verdicts: rows.score.length },
    },
    selection: {
      labels,
      rows: certifying.score.length,
      rows_in_all,
      automated: counts.automated,
      thread_cap: threads ? threadCap : null,
      split: parted
        ? { share, seed, by_thread, min_decisions, chosen: keys.size, withheld: choice.withheld.length }
        : null,
      thresholds: {
        ...used(choice),
        by_decision: choice.by_decision && {
          restricting: used(choice.by_decision.restricting),
          other: used(choice.by_decision.other),
        },
      },
      aurc: areaUnderRiskCoverage(groups),
      coverage_at_risk: REPORTED_RISKS.map((one) => coverageAtRisk(groups, { risk: one, delta })),
      curve: riskCoverageCurve(groups, 40),
      notes: notesOf(inputs, labels.circular).map(inputs.words.note),
    },
    score_frontier: scoreFrontier(rows.pds, rows.audited),
  };
}

/** Drops thresholds of communities that were chosen but do not pass on all decisions. */
function ofPassing(
  by_community: ThresholdSet["by_community"],
  communities: readonly string[],
  passing: Open,
): ThresholdSet["by_community"] {
  const names = new Set(communities.filter((_, i) => passing.some((of) => of[i])));
  return Object.fromEntries(Object.entries(by_community).filter(([name]) => names.has(name)));
}

function notesOf({ calibration, target, labels, runId, settings }: ScoreInputs, circular: boolean): GateNote[] {
  const notes: GateNote[] = [];
  if (!calibration) notes.push({ code: "no_calibration", labelled: labels !== null });
  if (circular) notes.push({ code: "circular" });
  if (calibration && failsCheck(calibration.ece)) {
    notes.push({ code: "not_calibrated", error: calibration.ece.equal_frequency!, limit: calibration.ece.null_95! });
  }
  if (calibration && runId !== null && calibration.evidence.run_id === runId)
    notes.push({ code: "fitted_on_this_run" });
  const sample = calibration ? target?.sample : undefined;
  if (sample?.weighted === "by_verdict" || sample?.weighted === "by_stratum") notes.push({ code: "unequal_chances" });
  if (sample && sample.flags.length > 0 && sample.weighted !== null) {
    notes.push({ code: "labels_flagged", flags: sample.flags });
  }
  if (settings.by.some((key) => key === "rule" || key === "language")) notes.push({ code: "set_together" });
  return notes;
}

interface SliceInputs {
  /** `language`, or fields of decisions; `kind` means `content.kind`. */
  names: readonly string[];
  /** Null: only the audits are available. */
  decisions: DecisionFiles | null;
  by: readonly GateKey[];
  passes: ReadonlySet<string>;
}

type Cohorts = Pick<SliceInputs, "by" | "passes">;

/** Rates by language, tag, kind or any other field of decisions, with the share that the gate would automate. */
export async function buildSlices(table: AuditTable, inputs: SliceInputs): Promise<SliceReport> {
  const fields = inputs.names.filter((name) => name !== "language").map(fieldOf);
  if (fields.length > 0 && inputs.decisions) {
    await loadDecisionFields(table, inputs.decisions, fields);
    const [absent] = await absentFields(table, fields);
    if (absent !== undefined) {
      refuse({ code: "no_such_field", slice: inputs.names.find((name) => fieldOf(name) === absent)! });
    }
  }
  return sliceReport(await sliceCounts(table, inputs));
}

/** Counts for every value of the named properties. Fields of decisions must be loaded. */
export async function sliceCounts(table: AuditTable, inputs: Omit<SliceInputs, "decisions">): Promise<SliceCounts[]> {
  const all = await totals(table, inputs);
  const counts: SliceCounts[] = [];
  for (const slice of inputs.names) counts.push(...withRest(await countsOf(table, slice, inputs), all));
  return counts;
}

async function totals(table: AuditTable, { by, passes }: Cohorts): Promise<SliceTotals> {
  const all = { n: 0, indefensible: 0, automated: 0, automated_indefensible: 0 };
  for (const { key, n, indefensible } of await countGateCohorts(table, { by })) {
    all.n += n;
    all.indefensible += indefensible;
    if (!passes.has(key)) continue;
    all.automated += n;
    all.automated_indefensible += indefensible;
  }
  return all;
}

/** Adds counts of all decisions without the value: not the sum of the other rows if decisions have several values or rare ones are left out. */
function withRest(counts: SliceCounts[], all: SliceTotals): SliceCounts[] {
  return counts.map((one) => ({
    ...one,
    rest: {
      n: all.n - one.n,
      indefensible: all.indefensible - one.indefensible,
      automated: all.automated - one.automated,
      automated_indefensible: all.automated_indefensible - one.automated_indefensible,
    },
  }));
}

/** The decision field behind a slice name. */
export function fieldOf(name: string): string {
  return name === "kind" ? "content.kind" : name;
}

async function countsOf(table: AuditTable, slice: string, { by, passes }: Cohorts): Promise<SliceCounts[]> {
  const rows = await countSlices(table, { by, field: fieldOf(slice) });
  const counts = [...groupBy(rows, ({ value }) => value)].map(([value, own]) => ({
    slice,
    value,
    ...summed(own, passes),
    communities: [...groupBy(own, ({ community }) => community).values()].map((members) => summed(members, passes)),
  }));
  return counts.sort((a, b) => b.n - a.n || (a.value < b.value ? -1 : 1));
}

function summed(rows: readonly SliceCount[], passes: ReadonlySet<string>): SliceCell {
  const counts = { n: 0, indefensible: 0, inverse_yes: 0, automated: 0, automated_indefensible: 0 };
  for (const row of rows) {
    counts.n += row.n;
    counts.indefensible += row.indefensible;
    counts.inverse_yes += row.inverse_yes;
    if (!passes.has(row.cohort)) continue;
    counts.automated += row.n;
    counts.automated_indefensible += row.indefensible;
  }
  return counts;
}
