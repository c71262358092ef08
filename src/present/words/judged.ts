import type { Level } from "../../core/records/level.js";
import type { PageDecision } from "../../measures/report-page.js";

/** What somebody other than the auditor says of a decision's defensibility. */
export interface Judged {
  by: "gold" | "people";
  level: Level;
  inverse: boolean | null;
}

/** Whether such a judgement says of the decision what the auditor says: that it can be defended, or that it cannot. */
export type Judgement = "confirms" | "contradicts" | "none";

/** Gold where there is one, else the first person's label; other auditors are none. */
export function judgedOf({ gold, labels }: Pick<PageDecision, "gold" | "labels">): Judged | null {
  if (gold) return { by: "gold", level: gold.level, inverse: gold.inverse };
  const label = labels.find(({ source }) => source === "gold" || source === "human");
  return label ? { by: label.source === "gold" ? "gold" : "people", level: label.level, inverse: label.inverse } : null;
}

export function judgementOf(decision: PageDecision): Judgement {
  const judged = judgedOf(decision);
  const { audit } = decision;
  if (!judged || audit.outcome !== "verdict" || !audit.level) return "none";
  return (judged.level === 3) === (audit.level === 3) ? "confirms" : "contradicts";
}
