import type { GateReport } from "../../measures/gate/gate-report.js";
import { type Block, table } from "../document/document.js";
import { intervalText, plural, rateText } from "../words/numbers.js";
import { count, share } from "./verdict.js";

/** What the communities chosen on one part of the decisions do on the other. */
export function holdoutSection({ holdout }: GateReport): Block[] {
  if (!holdout) return [];
  const { realised, in_sample: before } = holdout;
  const where = `${share(holdout.share, 0)} of the decisions${holdout.by_thread ? ", whole threads," : ""} were held out (seed ${holdout.seed})`;
  const blocks: Block[] = [{ kind: "heading", text: "Held-out certificate" }];
  if (holdout.reason) {
    return [...blocks, { kind: "text", text: `${where}. There is no certificate: ${holdout.reason}.` }];
  }
  return [
    ...blocks,
    table(
      ["", ">indefensible", ">of", ">rate", "95 % interval"],
      [
        ["chosen on", ...rateCells(before)],
        ["held out", ...rateCells(realised)],
      ],
    ),
    {
      kind: "text",
      text: `${where}; ${plural(holdout.chosen, "community was", "communities were")} chosen on the rest in mode ${holdout.mode}. On the held-out decisions they cover ${rateText(holdout.coverage)}, and with ${share(1 - holdout.delta, 0)} confidence at most ${share(holdout.upper, 2)} of what they automate is indefensible${holdout.thread_cap === null ? "" : `, counting at most ${plural(holdout.thread_cap, "decision")} of a thread`}${holdout.upper_clustered === null ? "" : ` (${share(holdout.upper_clustered, 2)} for other communities like them, ${holdout.clustered_method})`}. ${optimism(holdout.optimism)}${holdout.chosen_unseen > 0 ? ` ${count(holdout.chosen_unseen)} of the chosen have no held-out verdict.` : ""}`,
    },
  ];
}

function rateCells(estimate: NonNullable<GateReport["holdout"]>["realised"]): string[] {
  if (estimate.estimate === null) return ["–", "–", "–", estimate.reason];
  return [count(estimate.k), count(estimate.n), rateText(estimate), intervalText(estimate)];
}

function optimism(value: number | null): string {
  if (value === null) return "";
  const points = `${Math.abs(100 * value).toFixed(1)} percentage points`;
  return value > 0
    ? `Judged on the decisions they were chosen by, they would have looked ${points} better.`
    : `They do no worse here than where they were chosen (${points} better).`;
}
