import { countLabelledScoreBins, countScoreBins, medianScores } from "../../analysis/score-histogram.js";
import { meanScoreParts } from "../../analysis/score-parts.js";
import { chooseTarget } from "../../app/report/choose-target.js";
import { MINIMUM_ROWS } from "../../measures/calibration/choose-calibration.js";
import type { ScoreDetails } from "../../measures/report-page.js";
import type { PageSubject } from "./page-subject.js";

/** What the pictures of S need: counts by the auditor's level and, where enough verdicts have one, by people's labels or gold annotations. */
export async function scoreDetails(subject: PageSubject): Promise<ScoreDetails> {
  const { report, table } = subject;
  return {
    pds_by_level: await countScoreBins(table),
    pds_medians: await medianScores(table),
    pds_by_label: await labelledBins(subject),
    parts_by_level: await meanScoreParts(table, report.calibration?.component ?? "h_w"),
  };
}

/** People before gold annotations. Neither comes from the auditor, so neither is a circle. */
async function labelledBins({ report, table, workspace }: PageSubject): Promise<ScoreDetails["pds_by_label"]> {
  if (!workspace) return null;
  for (const kind of ["human", "gold"] as const) {
    const chosen = await chooseTarget(table, { kind }, { workspace, labels: null, runId: report.run.run_id });
    if (!chosen || chosen.target.n < MINIMUM_ROWS) continue;
    const bins = await countLabelledScoreBins(table);
    if (bins.reduce((sum, { n }) => sum + n, 0) >= MINIMUM_ROWS) return { kind, bins };
  }
  return null;
}
