import type { SignalExperiment } from "../../../src/experiments/signal/result.js";
import { REFERENCE_WORDS } from "../../../src/present/words/experiments/experiment-words.js";
import { pointerPart } from "../../../src/present/words/sentence.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import { ComparedEstimates } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";

/** Every signal: how well it finds level 3, and what it goes with. */
export function SignalTable({ result, at }: { result: SignalExperiment; at: string }) {
  const columns = result.signals
    .map(({ signal, label, n }, i) => ({ key: signal, name: label, at: `${at}/signals/${i}`, n }))
    .filter(({ n }) => n > 0);
  const absent = result.signals.filter(({ n }) => n === 0).map(({ label }) => label);
  return (
    <>
      <ComparedEstimates
        caption="AUROC for level 3, and rank correlations (Spearman)"
        of="Signal"
        turned
        rows={[
          { name: "Verdicts", field: "n", count: true },
          ...result.references.map(({ name }) => ({
            name: `AUROC by ${wordOr(REFERENCE_WORDS, name)}`,
            field: `auroc/references/${pointerPart(name)}`,
            as: "decimal" as const,
          })),
          { name: "AUROC by the auditor's own level (circular)", field: "auroc/own_level", as: "decimal" },
          { name: "ρ with the level, 1 to 3", field: "level", as: "decimal" },
          { name: "ρ with disagreement", field: "disagreement/spearman", as: "decimal" },
          { name: "ρ with inverse = Yes", field: "inverse/spearman", as: "decimal" },
        ]}
        columns={columns}
      />
      <p className="small muted">
        Each signal is turned so that higher means worse. By the auditor's own level it is circular: level and signal
        come from the same answer.{" "}
        {result.references.map(({ name }, i) => (
          <span key={name}>
            By {wordOr(REFERENCE_WORDS, name)}: <Num at={`${at}/references/${i}/n`} as="whole" /> verdicts,{" "}
            <Num at={`${at}/references/${i}/indefensible`} as="whole" /> of them at level 3.{" "}
          </span>
        ))}
        {absent.length > 0 && `No verdict has ${absent.join(", ")}. `}
        With a partner that is yes or no a correlation cannot reach 1.
      </p>
    </>
  );
}
