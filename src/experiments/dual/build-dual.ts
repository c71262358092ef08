import type { AuditTable } from "../../analysis/audit-table.js";
import {
  type ContradictionRow,
  readContradictions,
  readDualAudits,
  readDualLabels,
  readInverseScores,
} from "../../analysis/dual-audits.js";
import { InputError } from "../../core/errors.js";
import type { Estimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import { type Actions, sideNames } from "../../core/records/actions.js";
import { shareEstimate } from "../../measures/metrics/indices.js";
import { correctRate } from "../../measures/metrics/judge/correct-rate.js";
import { AUDITED, auditedYes, type QuantityStratum, rowsIn } from "../../measures/metrics/judge/counts.js";
import { DUAL_CLASSES, dualAudit, isJustificationProne } from "../../measures/metrics/paired/dual-audit.js";
import { mergePairs } from "../../measures/metrics/paired/paired-change.js";
import { boundsRow, percent } from "../../present/words/numbers.js";
import { clusteredAuroc } from "../../stats/ranks/clustered-auroc.js";
import type { AuditSource } from "../../store/ports.js";
import { auditorNotes } from "../audits.js";
import type { Dual, DualCase, DualGroup } from "./result.js";

export interface DualInputs {
  name: string;
  run_id: string | null;
  auditor: string | null;
  /** The arm with the audits of the opposite actions. */
  oppositeArm: string;
  /** Most contradictions listed, of each kind. */
  cases: number;
  /** The run whose ambiguity is corrected. */
  correct?: RunToCorrect | undefined;
}

/** Audits decisions and their opposites separately: what the rules settle, and how reliable the one-token inverse check is. */
export async function buildDual(table: AuditTable, inputs: DualInputs): Promise<Dual> {
  const { strata, ...counts } = await readDualAudits(table, inputs.oppositeArm);
  if (counts.paired === 0) throw nothingPaired(counts, inputs);
  const group = (wanted: (stratum: (typeof strata)[number]) => boolean) =>
    dualAudit(mergePairs(strata.filter((stratum) => wanted(stratum))));
  const actions = sideNames(table.actions);
  const all = group(() => true);
  const by_action = { positive: group((one) => one.positive), negative: group((one) => !one.positive) };
  const labelled = strata.some((stratum) => stratum.agreed !== null);
  const { scores, defensible, cluster, clusters } = await readInverseScores(table);
  const cases = [
    ...(await readContradictions(table, "missed", inputs.cases)).map((row) => caseOf(row, "missed", actions)),
    ...(await readContradictions(table, "false_alarm", inputs.cases)).map((row) => caseOf(row, "false_alarm", actions)),
  ];
  const { missed, false_alarms } = all.inverse_check.counts;
  return {
    format: 1,
    experiment: "dual",
    runs: inputs.run_id ? [inputs.run_id] : [],
    source: { name: inputs.name, run_id: inputs.run_id, auditor: inputs.auditor },
    actions,
    counts,
    all,
    by_action,
    by_human: labelled
      ? { agreed: group((one) => one.agreed === true), overruled: group((one) => one.agreed === false) }
      : null,
    inverse_auroc:
      scores.length === 0
        ? { estimate: null, reason: "the audits have no probability of the inverse check", n: 0 }
        : clusteredAuroc(scores, defensible, cluster, clusters),
    justification_prone: isJustificationProne(all),
    contradictions: { missed, false_alarms, cases },
    // Last, since it replaces these audits by those of the other run.
    ...(inputs.correct ? { corrected: await correctAmbiguity(table, inputs.correct) } : {}),
    figures: dualFigures(all, by_action, actions),
    warnings: warnings(counts, inputs),
  };
}

function caseOf(row: ContradictionRow, kind: DualCase["kind"], { positive, negative }: Actions): DualCase {
  const own = AUDITED[row.own]!;
  const opposite = AUDITED[row.opposite]!;
  return {
    decision_id: row.decision_id,
    community: row.community,
    kind,
    own: { action: row.positive ? positive : negative, ...own, inverse_yes_prob: row.own_yes, rule_id: row.own_rule },
    opposite: {
      action: row.positive ? negative : positive,
      ...opposite,
      inverse_yes_prob: row.opposite_yes,
      rule_id: row.opposite_rule,
    },
  };
}

type Counts = Dual["counts"];

function nothingPaired(
  { decisions, single, without_verdict, same_action }: Counts,
  { name, oppositeArm }: DualInputs,
): InputError {
  return new InputError(
    "nothing_paired",
    `dual: ${name} has no decision with a verdict for itself and for its opposite; of ${decisions} decisions ${single} have one audit alone, ${without_verdict} lack a verdict, ${same_action} name the same action twice`,
    `Audits of decisions have arm "", those of their opposites arm "${oppositeArm}". \`defensible experiment dual\` without --run or --audits makes both.`,
  );
}

function warnings({ single, without_verdict, same_action }: Counts, { auditor }: DualInputs): string[] {
  const list = auditorNotes([auditor]);
  if (without_verdict > 0)
    list.push(`${without_verdict} decisions lack a verdict in one of their two audits and are left out`);
  if (single > 0) list.push(`${single} decisions have only one of the two audits and are left out`);
  if (same_action > 0) list.push(`${same_action} decisions have the same action in both audits and are left out`);
  return list;
}

interface RunToCorrect {
  run_id: string;
  source: AuditSource;
  /** Caveats about the two runs (`correctionNotes`). */
  notes?: readonly string[];
}

/**
 * The ambiguity of a whole run, corrected by a dual audit of a random part of its decisions: the inverse check on defensible decisions is
 * the prediction, the dual audit the label.
 */
async function correctAmbiguity(table: AuditTable, run: RunToCorrect): Promise<NonNullable<Dual["corrected"]>> {
  const strata = new Map<string, QuantityStratum>();
  const communities = new Map<string, number>();
  const { rows, outside, otherAction } = await readDualLabels(table, run.source);
  for (const { community, kind, ambiguous, n } of rows) {
    const { level, inverse } = AUDITED[kind]!;
    const number = communities.get(community) ?? communities.size;
    communities.set(community, number);
    const key = `${number} ${level}`;
    const stratum = strata.get(key) ?? emptyStratum(number, level);
    strata.set(key, stratum);
    stratum[cellOf(inverse && level !== 3, ambiguous)] += n;
  }
  const { labels, prediction_powered, rogan_gladen, sensitivity, specificity, warnings } = correctRate([
    ...strata.values(),
  ]);
  if (labels === 0) {
    throw new InputError(
      "nothing_shared",
      `--correct: run ${run.run_id} shares no decision with the dual audit`,
      "Name the run of whose decisions the dual audit was a sample.",
    );
  }
  const audited = auditedRate([...strata.values()], communities.size);
  const notes = [
    ...(run.notes ?? []),
    outside > 0 ? `${outside} decisions of the dual audit are not in run ${run.run_id} and are left out` : "",
    otherAction > 0
      ? `${otherAction} decisions of the dual audit have another action in run ${run.run_id} and count as without one; if they are no random part, the correction is biased`
      : "",
  ].filter(Boolean);
  return {
    ...{ run_id: run.run_id, labels, audited, prediction_powered, rogan_gladen, sensitivity, specificity },
    warnings: [...notes, ...warnings],
  };
}

/** The rate by the inverse check over the whole run, with communities also as clusters. */
function auditedRate(strata: readonly QuantityStratum[], communities: number): Estimate {
  const clusters = Array.from({ length: communities }, () => ({ k: 0, n: 0 }));
  for (const stratum of strata) {
    const cluster = clusters[stratum.community]!;
    cluster.k += auditedYes(stratum);
    cluster.n += rowsIn(stratum);
  }
  return shareEstimate(clusters, "the run has no verdict");
}

function cellOf(audited: boolean, label: boolean | null) {
  if (label === null) return audited ? "restYes" : "restNo";
  if (label) return audited ? "bothYes" : "humanOnly";
  return audited ? "auditorOnly" : "bothNo";
}

function emptyStratum(community: number, level: number): QuantityStratum {
  return { community, level, restYes: 0, restNo: 0, bothYes: 0, humanOnly: 0, auditorOnly: 0, bothNo: 0 };
}

/** Pictures of a dual audit: the four classes by action, and the inverse check's two rates. */
export function dualFigures(all: DualGroup, byAction: Dual["by_action"], actions: Actions): Figure[] {
  const groups = [
    { group: "all", dual: all },
    { group: actions.positive, dual: byAction.positive },
    { group: actions.negative, dual: byAction.negative },
  ];
  const rows = (name: string, estimate: Estimate) => ({
    [name]: estimate.estimate,
    ...boundsRow(estimate),
    n: estimate.n,
  });
  return [
    {
      id: "dual-classes",
      title: classTitle(all),
      mark: "bar",
      x: { field: "group", label: "decisions" },
      y: { field: "share", label: "share of decisions", format: "percent", domain: [0, 1] },
      series: "class",
      series_order: [...DUAL_CLASSES],
      stack: true,
      interval: "none",
      caption:
        "Ambiguous: decision and opposite can both be derived. Determinate: only the decision. Error: only the opposite. Void: neither.",
      rows: groups.flatMap(({ group, dual }) =>
        DUAL_CLASSES.map((name) => ({ group, class: name, ...rows("share", dual[name]) })),
      ),
    },
    {
      id: "dual-inverse-check",
      title: checkTitle(all),
      mark: "point",
      x: { field: "group", label: "decisions" },
      y: { field: "rate", label: "rate", format: "percent", domain: [0, 1] },
      series: "measure",
      rows: groups.flatMap(({ group, dual }) =>
        (["sensitivity", "specificity"] as const).map((measure) => ({
          group,
          measure,
          ...rows("rate", dual.inverse_check[measure]),
        })),
      ),
    },
  ];
}

function classTitle({ ambiguous, void: uncovered }: DualGroup): string {
  if (ambiguous.estimate === null || uncovered.estimate === null)
    return "No decision was audited together with its opposite";
  const [both, neither] = [percent(ambiguous.estimate), percent(uncovered.estimate)];
  return `The rules allow both outcomes in ${both} of the decisions and neither in ${neither}`;
}

function checkTitle({ inverse_check: { sensitivity, specificity } }: DualGroup): string {
  const found =
    sensitivity.estimate === null ? null : `finds ${percent(sensitivity.estimate)} of the defensible opposites`;
  const rest = found === null ? "opposites, none of which is defensible" : "others";
  const turned = specificity.estimate === null ? null : `turns down ${percent(specificity.estimate)} of the ${rest}`;
  const does = [found, turned].filter((part) => part !== null);
  return does.length === 0
    ? "No opposite was audited that the one-token inverse check could be held against"
    : `The one-token inverse check ${does.join(" and ")}`;
}
