import type { AuditTable } from "../../analysis/audit-table.js";
import {
  type ContradictionRow,
  readContradictions,
  readDualAudits,
  readInverseScores,
} from "../../analysis/dual-audits.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import type { Dual, DualCase } from "../../core/results/dual.js";
import { dualAudit, isJustificationProne } from "../../measures/metrics/dual-audit.js";
import { AUDITED } from "../../measures/metrics/judge-counts.js";
import { mergePairs } from "../../measures/metrics/merge-pairs.js";
import { clusteredAuroc } from "../../stats/ranks/clustered-auroc.js";
import { auditorNotes } from "../auditor-notes.js";
import { correctAmbiguity, type RunToCorrect } from "./correct-ambiguity.js";
import { dualFigures } from "./dual-figures.js";

export interface DualInputs {
  name: string;
  run_id: string | null;
  auditor: string | null;
  /** Arm that holds the audits of the opposite actions. */
  oppositeArm: string;
  /** Contradictions listed, of each kind. */
  cases: number;
  /** Run whose ambiguity is corrected. */
  correct?: RunToCorrect | undefined;
}

/** Decisions and their opposites, audited apart: what the rules settle, and how far the one-token inverse check can be trusted. */
export async function buildDual(table: AuditTable, inputs: DualInputs): Promise<Dual> {
  const { strata, ...counts } = await readDualAudits(table, inputs.oppositeArm);
  if (counts.paired === 0) throw nothingPaired(counts, inputs);
  const group = (wanted: (stratum: (typeof strata)[number]) => boolean) =>
    dualAudit(mergePairs(strata.filter((stratum) => wanted(stratum))));
  const { actions } = table;
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
    // Last: it puts the other run's audits in the place of these.
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
