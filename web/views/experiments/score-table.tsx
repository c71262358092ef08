import type { Validate } from "../../../src/experiments/validate/result.js";
import { printable } from "../../../src/text/printable.js";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";

type Score = NonNullable<Validate["run"]>["scores"][number];

/** Scores judged by the truth. */
export function ScoreTable({ caption, scores, at }: { caption: string; scores: readonly Score[]; at: string }) {
  if (scores.length === 0) return null;
  return (
    <PlainTable
      caption={caption}
      heads={[
        { key: "score", name: "Score" },
        { key: "auroc", name: "AUROC", align: "right" },
        { key: "ece", name: "Calibration error", align: "right" },
        { key: "chance", name: "By chance at most", align: "right" },
        { key: "loss", name: "Log-loss", align: "right" },
        { key: "found", name: "Level 3 found at 5 % false alarms", align: "right" },
      ]}
      rows={scores.map(({ score }, i) => ({
        key: score,
        cells: [
          printable(score, 60),
          <Est key="auroc" at={`${at}/${i}/auroc`} as="fine" with="interval" />,
          <Num key="ece" at={`${at}/${i}/ece`} as="fine" />,
          <Num key="chance" at={`${at}/${i}/ece_null_95`} as="fine" />,
          <Num key="loss" at={`${at}/${i}/log_loss`} as="fine" />,
          <Est key="found" at={`${at}/${i}/detected_at_5`} with="interval" />,
        ],
      }))}
    />
  );
}
