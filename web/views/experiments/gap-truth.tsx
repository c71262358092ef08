import type { GapColumn } from "../../../src/experiments/gap/result.js";
import { CAUSE_NAMES } from "../../../src/present/words/signs.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import { printable } from "../../../src/text/printable.js";
import { EstInText } from "../../parts/numbers/est.tsx";
import { ComparedEstimates } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { capitalised } from "../../parts/text/words.ts";

const ROWS = [
  { name: "Defensibility Index (DI)", field: "defensibility_index" },
  { name: "Ambiguity Index (AI)", field: "ambiguity_index" },
  { name: "Pure ambiguity", field: "ambiguity_pure" },
  { name: "Gap: defensibility − F1", field: "gap/di_minus_f1", as: "points" },
  { name: "False negatives that are defensible", field: "trap/fn_defensible" },
  { name: "All disagreements that are defensible", field: "trap/disagreements_defensible" },
] as const;

/** The auditor's measures beside those of what is true, and its causes against the true ones. */
export function GapTruthTable({ column, at }: { column: GapColumn; at: string }) {
  const truth = column.truth!;
  const { causes } = truth;
  const name = (cause: string) => wordOr(CAUSE_NAMES, cause);
  return (
    <Section
      id={`truth-${at.split("/").at(-1)}`}
      title={`${printable(column.name, 60)}: the auditor against ${truth.source === "simulation" ? "the planted truth" : "gold annotations"}`}
    >
      <ComparedEstimates
        caption="Over the verdicts whose truth is known"
        of="Measure"
        rows={ROWS}
        columns={[
          { key: "auditor", name: "By the auditor", at: truth.measured ? `${at}/truth/measured` : at },
          { key: "truth", name: "By the truth", at: `${at}/truth` },
        ]}
      />
      <PlainTable
        caption="Causes of disagreements: rows by the auditor, columns by the truth"
        heads={[
          { key: "audited", name: "By the auditor" },
          ...causes.true.map((cause) => ({ key: cause, name: capitalised(name(cause)), align: "right" as const })),
        ]}
        rows={causes.audited.map((audited, i) => ({
          key: audited,
          cells: [
            name(audited),
            ...causes.true.map((cause, j) => <Num key={cause} at={`${at}/truth/causes/counts/${i}/${j}`} as="whole" />),
          ],
        }))}
      />
      <p>
        The auditor names the cause of a disagreement rightly in <EstInText at={`${at}/truth/causes/accuracy`} counts />
        ; agreement beyond chance: Cohen's κ <EstInText at={`${at}/truth/causes/kappa`} as="decimal" />.
        {causes.true.includes("human_error") &&
          " A person's error is a cause that no audit can name: by the rules it looks like an unwritten norm."}
      </p>
    </Section>
  );
}
