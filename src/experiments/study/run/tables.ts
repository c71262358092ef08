import { countGateCohorts } from "../../../analysis/gate/counts.js";
import { decisionCount } from "../../../analysis/labels/judgements.js";
import { type TokenPair, tokenAgreement } from "../../../analysis/signal-columns.js";
import { loadScores } from "../../../app/report/choose-target.js";
import { paperCalibration } from "../calibration-table.js";
import { gateTable } from "../gate-table.js";
import { isColumns } from "./requests.js";
import { drawing, type Step, withRun } from "./step.js";

/** Runs are made with the weights that it fits, so it comes first. */
export const calibration: Step = {
  name: "calibration",
  title: "weights of S",
  needs: () => ["balanced"],
  async run(context) {
    const { runs } = context;
    const place = await runs.get("balanced");
    const loaded = await loadScores(place, { kind: "self" }, { stores: runs.context, labels: null });
    const found = paperCalibration(loaded!.main.columns, drawing(context));
    if (found.weights) {
      const { calibrated: _, ...weights } = found.weights;
      runs.keepWeights({ ...weights, fitted_on: loaded!.evidence });
    } else context.warnings.push(`S has the workspace's weights, because none could be fitted: ${found.reason}`);
    return found;
  },
};

export const gate: Step = {
  name: "gate",
  title: "fleet and gate",
  needs: () => ["fleet"],
  async run(context) {
    const place = await context.runs.get("fleet");
    const cohorts = await withRun(place, (table) => countGateCohorts(table, { by: ["community"] }));
    return gateTable(cohorts, drawing(context));
  },
};

const TOKEN_PAIRS = [
  ["random", "tokens_random"],
  ["balanced", "tokens_balanced"],
  ["fleet", "tokens_fleet"],
] as const;

export const tokens: Step = {
  name: "tokens",
  title: "tokens against columns",
  refuses({ runs }) {
    if (isColumns(runs.request.auditor)) return null;
    return { reason: "compares two ways of the simulated auditor, which is not in use", command: null };
  },
  needs: () => TOKEN_PAIRS.flat(),
  async run(context) {
    const { runs } = context;
    const pairs: TokenPair[] = [];
    let of = 0;
    for (const [columns, tokens] of TOKEN_PAIRS) {
      const whole = await runs.get(columns);
      of += await withRun(whole, decisionCount);
      pairs.push({ columns: whole.source, tokens: (await runs.get(tokens)).source });
    }
    const found = await tokenAgreement(pairs, of);
    if (!found.agrees) context.warnings.push("audits by tokens do not agree with the same audits as columns");
    return found;
  },
};
