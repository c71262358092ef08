import type { Estimate } from "../../core/estimate.js";
import type { ActionStep } from "../../core/records/actions.js";
import { groupBy } from "../../core/text-checks.js";
import { type ClusterMean, meanOver } from "./gap.js";
import { shareEstimate } from "./indices.js";

/** Labelled verdicts of one community with the same decision and the same human label. */
export interface LabelledActions {
  community: string;
  decision: string;
  human: string;
  n: number;
}

/** Decisions of one community with one action that were also audited under one alternative action. */
export interface AlternativeCount {
  community: string;
  decision: string;
  alternative: string;
  /** Pairs in which both have a verdict. */
  n: number;
  /** Alternatives among them at level 1 or 2. */
  derivable: number;
  /** Pairs in which one of the two has no verdict. */
  without_verdict: number;
}

const NO_LABELS = "no verdict has a human label";

/**
 * Share of decisions whose action is exactly the human's, for workspaces with more than two actions.
 *
 * Formula: #{decision = label} / n over labelled verdicts.
 * Range: 0 to 1; at most `accuracy`, which only compares whether both restrict.
 * Undefined when: no verdict has a human label.
 * Differs from the paper: not in the paper, which has two actions.
 * @example
 * exactAgreement([{ community: "c", decision: "remove", human: "ban", n: 2 }]).estimate // => 0
 */
export function exactAgreement(rows: readonly LabelledActions[]): Estimate {
  const clusters = byCommunity(rows, (group) => ({
    k: group.reduce((sum, row) => sum + (row.decision === row.human ? row.n : 0), 0),
    n: group.reduce((sum, row) => sum + row.n, 0),
  }));
  return shareEstimate(clusters, NO_LABELS);
}

/**
 * How far decisions are from human labels, in steps of severity.
 *
 * Formula: mean of |severity(decision) − severity(label)| over labelled verdicts; severities are 0, 1, 2 … from the mildest unless the workspace
 * defines others.
 * Range: 0 to the difference between the largest and smallest severity. With severities 0 and 1 it equals 1 − accuracy.
 * Undefined when: no verdict has a human label.
 * Differs from the paper: not in the paper.
 * @example
 * severityDistance([{ community: "c", decision: "a", human: "b", n: 2 }], [{ name: "a", severity: 0 }, { name: "b", severity: 3 }]).estimate // => 3
 */
export function severityDistance(rows: readonly LabelledActions[], all: readonly ActionStep[]): Estimate {
  const severities = new Map(all.map(({ name, severity }) => [name, severity]));
  const distance = ({ decision, human }: LabelledActions) =>
    Math.abs(severities.get(decision)! - severities.get(human)!);
  const range = all.at(-1)!.severity - all[0]!.severity;
  return meanOver(
    byCommunity(rows, (group) => momentsOf(group, distance)),
    [0, range],
    NO_LABELS,
  );
}

/** Which alternatives are derivable, by the action that was decided: k of n with level 1 or 2, in order of severity. */
export function derivableAlternatives(
  rows: readonly AlternativeCount[],
  all: readonly ActionStep[],
): { decision: string; alternative: string; derivable: Estimate; without_verdict: number }[] {
  return all.flatMap(({ name: decision }) =>
    all.flatMap(({ name: alternative }) => {
      const own = rows.filter((row) => row.decision === decision && row.alternative === alternative);
      if (own.length === 0) return [];
      const derivable = shareEstimate(
        own.map((row) => ({ k: row.derivable, n: row.n })),
        "no decision has a verdict for itself and for this alternative",
      );
      const without_verdict = own.reduce((sum, row) => sum + row.without_verdict, 0);
      return [{ decision, alternative, derivable, without_verdict }];
    }),
  );
}

/** Share of decisions with at least one audited alternative at level 1 or 2; counts by community. */
export function anyDerivable(clusters: readonly { k: number; n: number }[]): Estimate {
  return shareEstimate(clusters, "no decision has verdicts for itself and its alternatives");
}

function momentsOf(group: readonly LabelledActions[], value: (row: LabelledActions) => number): ClusterMean {
  const n = group.reduce((sum, row) => sum + row.n, 0);
  const mean = group.reduce((sum, row) => sum + row.n * value(row), 0) / n;
  const squaredDeviations = group.reduce((sum, row) => sum + row.n * (value(row) - mean) ** 2, 0);
  return { cluster: group[0]!.community, n, mean, squaredDeviations };
}

function byCommunity<T>(rows: readonly LabelledActions[], made: (group: LabelledActions[]) => T): T[] {
  return [...groupBy(rows, ({ community }) => community).values()].map(made);
}
