import type { AttackResult } from "../../../src/experiments/attack/result.js";
import { ATTACK_SCORE_WORDS, kindWords } from "../../../src/present/words/experiments/attack-words.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { capitalised } from "../../parts/text/words.ts";

/** Area under the ROC curve of each score, by kind of attack. */
export function AreaTable({ result, at }: Kept<AttackResult>) {
  const scores = [...new Set(result.auroc.map((row) => row.score))];
  const kinds = [...new Set(result.auroc.map((row) => `${row.target} ${row.kind}`))];
  if (scores.length === 0) return null;
  return (
    <>
      <PlainTable
        caption="Area under the ROC curve: the chance that an attack has a higher score than a clean case"
        heads={[
          { key: "kind", name: "Kind" },
          ...scores.map((score) => ({
            key: score,
            name: capitalised(wordOr(ATTACK_SCORE_WORDS, score, 20)),
            align: "right" as const,
          })),
        ]}
        rows={kinds.map((key) => {
          const [target = "", kind = ""] = key.split(" ");
          return {
            key,
            cells: [
              `${printable(kindWords(kind), 40)}, on the ${target}`,
              ...scores.map((score) => {
                const place = result.auroc.findIndex(
                  (row) => row.target === target && row.kind === kind && row.score === score,
                );
                return place < 0 || result.auroc[place]!.auroc.estimate === null ? null : (
                  <Est key={score} at={`${at}/auroc/${place}/auroc`} as="decimal" with="interval" />
                );
              }),
            ],
          };
        })}
      />
      <p className="small muted">
        0.5 is no separation; below it attacks look cleaner than clean cases. Intervals after DeLong, for independent
        cases. No threshold is involved.
      </p>
    </>
  );
}
