import type { GateReport } from "../../measures/gate/gate-report.js";
import { type Block, table } from "../document/document.js";
import { limitsText } from "../figures/page-gate.js";
import { cohortWord } from "./verdict.js";
import { count, STATE_WORDS, share } from "./words.js";

/** The fleet by state, with means over communities as the paper prints them. */
export function statesSection(report: GateReport): Block[] {
  if (report.communities.length === 0) return [];
  const { many } = cohortWord(report);
  return [
    { kind: "heading", text: "States of the fleet" },
    table(
      ["state", `>${many}`, ">verdicts", ">mean DI", ">mean AI", ">DI", ">AI"],
      report.states.map((row) => [
        STATE_WORDS[row.state],
        count(row.communities),
        count(row.decisions),
        share(row.mean_di),
        share(row.mean_ai),
        share(row.pooled_di),
        share(row.pooled_ai),
      ]),
    ),
    {
      kind: "text",
      text: `Earned autonomy: both limits are met. Policy gaps: too many decisions that no rule supports. Normative complexity: sound reasoning under rules that leave too much open. States follow the rates as seen against ${limitsText(report.thresholds, report.variable)}; whether a rate can be relied on is what the modes differ in. Means count each of the ${many} once; DI and AI beside them count each verdict.${report.variable === "ai" ? "" : " AI is pure AI."}`,
    },
  ];
}
