import type { GapColumn } from "../../../src/experiments/gap/result.js";
import { withinChance } from "../../../src/present/words/experiments/estimate-cells.js";
import { trapSentence } from "../../../src/present/words/experiments/trap-sentence.js";
import { CAUSE_SIGNS, CAUSE_WORDS, CAUSES } from "../../../src/present/words/signs.js";
import { printable } from "../../../src/text/printable.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigures } from "../../parts/experiment.tsx";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { ComparedEstimates } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { GapTruthTable } from "./gap-truth.tsx";
import type { LeadProps } from "./lead-props.ts";

/** The gap of the first cohort, and what misses say of the agreement trap. */
export function GapLead({ className }: LeadProps) {
  const { result, at } = useExperiment("gap")!;
  const [first] = result.columns;
  if (!first || first.gap.di_minus_f1.estimate === null) {
    return <p className={className}>No gap can be shown: no decision has a person's label.</p>;
  }
  const gap = `${at}/columns/0/gap`;
  return (
    <p className={className}>
      <b>{printable(first.name, 60)}</b>: defensibility − F1 is <EstInText at={`${gap}/di_minus_f1`} as="points" />, and
      defensibility − accuracy <EstInText at={`${gap}/di_minus_accuracy`} as="points" />
      {withinChance(first.gap) && ", which chance alone could explain"}. {trapSentence(first)}
    </p>
  );
}

const ROWS = [
  { name: "Labelled decisions", field: "agreement/n_labelled", count: true },
  { name: "F1", field: "agreement/f1" },
  { name: "Defensibility Index (DI)", field: "defensibility_index" },
  { name: "Gap: defensibility − F1", field: "gap/di_minus_f1", as: "points" },
  { name: "Accuracy", field: "agreement/accuracy" },
  { name: "Gap: defensibility − accuracy", field: "gap/di_minus_accuracy", as: "points" },
  { name: "Cohen's κ", field: "agreement/kappa", as: "decimal" },
  { name: "Ambiguity Index (AI)", field: "ambiguity_index" },
  { name: "Pure ambiguity", field: "ambiguity_pure" },
  { name: "False negatives that are defensible", field: "trap/fn_defensible" },
  { name: "The same, less that of other decisions", field: "fn_against_others", as: "points" },
  { name: "False positives that are defensible", field: "trap/fp_defensible" },
  { name: "All disagreements that are defensible", field: "trap/disagreements_defensible" },
  { name: "Agreed and indefensible, of all labelled", field: "trap/accurate_but_indefensible/joint" },
  { name: "Agreed and indefensible, of agreements", field: "trap/accurate_but_indefensible/conditional" },
] as const;

const CAUSE_ROWS = CAUSES.map((cause) => ({
  name: `${CAUSE_WORDS[cause].name} (${CAUSE_SIGNS[cause]})`,
  field: `root_causes/${cause}`,
}));

export function GapBody() {
  const { result, at } = useExperiment("gap")!;
  const columns = result.columns.map(({ name }, i) => ({
    key: String(i),
    name: printable(name, 40),
    at: `${at}/columns/${i}`,
  }));
  return (
    <>
      <Section id="measures" title="Agreement-based and policy-grounded measures">
        <KeptFigures of={result} ids={["gap", "gap-causes"]} />
        {result.columns.map((column, i) => (
          <Imbalance key={column.name} column={column} at={`${at}/columns/${i}`} />
        ))}
        <ComparedEstimates
          caption="With 95 % intervals: the wider of that for independent decisions and that for communities as clusters"
          of="Measure"
          rows={ROWS}
          columns={columns}
        />
      </Section>
      <Section id="causes" title="Why decider and people disagree, by the auditor's verdicts">
        <ComparedEstimates
          caption="Shares of the disagreements"
          of="Cause"
          rows={CAUSE_ROWS}
          columns={columns}
          with="all"
        />
      </Section>
      {result.columns.map(
        (column, i) => column.truth && <GapTruthTable key={column.name} column={column} at={`${at}/columns/${i}`} />,
      )}
    </>
  );
}

/** What of the gap is arithmetic of rare actions. */
function Imbalance({ column, at }: { column: GapColumn; at: string }) {
  const { imbalance, gap, name } = column;
  if (imbalance.arithmetic.estimate === null || gap.di_minus_f1.estimate === null) return null;
  return (
    <p>
      <b>{printable(name, 60)}</b>: people restrict <Est at={`${at}/imbalance/human_positive`} with="value" /> of the
      labelled decisions. A decider that agreed with them as often as decisions are defensible would have F1{" "}
      <Num at={`${at}/imbalance/f1_at_di`} /> here, so{" "}
      <Est at={`${at}/imbalance/arithmetic`} as="points" with="value" /> of the gap are there by arithmetic, and{" "}
      <EstInText at={`${at}/imbalance/disagreement`} as="points" /> are disagreement beyond what is indefensible.
      {imbalance.f1_if_balanced !== null && (
        <>
          {" "}
          With both actions equally frequent, this decider's own error rates would give F1{" "}
          <Num at={`${at}/imbalance/f1_if_balanced`} />.
        </>
      )}
    </p>
  );
}
