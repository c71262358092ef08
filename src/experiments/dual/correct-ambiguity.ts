import type { AuditTable } from "../../analysis/audit-table.js";
import { readDualLabels } from "../../analysis/dual-audits.js";
import { InputError } from "../../core/errors.js";
import type { Estimate } from "../../core/estimate.js";
import type { Dual } from "../../core/results/dual.js";
import { correctRate } from "../../measures/metrics/correct-rate.js";
import { AUDITED } from "../../measures/metrics/judge-counts.js";
import { auditedYes, type QuantityStratum, rowsIn } from "../../measures/metrics/judge-quantity.js";
import { shareEstimate } from "../../measures/metrics/share.js";
import type { AuditSource } from "../../store/ports.js";

export interface RunToCorrect {
  run_id: string;
  source: AuditSource;
  /** What somebody must know of the two runs (`correctionNotes`). */
  notes?: readonly string[];
}

/**
 * The ambiguity of a whole run, corrected by a dual audit of a random part of its decisions: what the inverse check says of defensible decisions takes the
 * place of a prediction, the dual audit that of a label.
 */
export async function correctAmbiguity(table: AuditTable, run: RunToCorrect): Promise<NonNullable<Dual["corrected"]>> {
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

/** What the check says of the whole run; communities as wholes beside decisions. */
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
